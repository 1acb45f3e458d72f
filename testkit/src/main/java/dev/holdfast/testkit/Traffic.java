package dev.holdfast.testkit;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what has arrived at a proxy, whether or not it was forwarded. Safe for use by several threads. */
final class Traffic {
    private final Map<String, LongAdder> commands = new ConcurrentHashMap<>();
    private final Map<Direction, LongAdder> bytes =
            Map.of(Direction.REQUESTS, new LongAdder(), Direction.REPLIES, new LongAdder());
    private final LongAdder lostReplies = new LongAdder();

    void countCommand(String name) {
        counter(name).increment();
    }

    void countBytes(Direction direction, int count) {
        adder(direction).add(count);
    }

    void countLostReply() {
        lostReplies.increment();
    }

    long lostReplies() {
        return lostReplies.sum();
    }

    long commands(String name) {
        return counter(name).sum();
    }

    long bytes(Direction direction) {
        return adder(direction).sum();
    }

    void reset() {
        commands.values().forEach(LongAdder::reset);
        bytes.values().forEach(LongAdder::reset);
        lostReplies.reset();
    }

    private LongAdder counter(String name) {
        return commands.computeIfAbsent(name.toUpperCase(Locale.ROOT), unseen -> new LongAdder());
    }

    private LongAdder adder(Direction direction) {
        LongAdder adder = bytes.get(direction);
        if (adder == null) {
            throw new AssertionError(direction);
        }
        return adder;
    }
}
