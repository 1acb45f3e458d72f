package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Exchanged;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What was put into one buffer and taken out of it, in the order in which the buffer says that it happened. A process that was killed
 * may have done one thing more, which its journal lacks.
 *
 * @param all each with the state of the buffer after it
 */
record Exchanges(List<Exchanged> all) {
    private static final Exchanges NONE = new Exchanges(List.of());

    /** {@return those of each lock} */
    static Map<String, Exchanges> byLock(History history) {
        return history.all(Exchanged.class)
                .collect(Collectors.groupingBy(
                        Exchanged::lock, Collectors.collectingAndThen(Collectors.toList(), Exchanges::sorted)));
    }

    /** {@return those of a lock} */
    static Exchanges of(String lock, Map<String, Exchanges> byLock) {
        return byLock.getOrDefault(lock, NONE);
    }

    private static Exchanges sorted(List<Exchanged> some) {
        return new Exchanges(some.stream()
                .sorted(Comparator.comparingLong(Exchanges::number).thenComparingLong(Exchanged::at))
                .toList());
    }

    /** {@return how many there have been then} */
    static long number(Exchanged exchange) {
        return exchange.put() + exchange.taken();
    }

    static long size(Exchanged exchange) {
        return exchange.put() - exchange.taken();
    }

    /** {@return the number of processes that were killed between these two} */
    static long killed(Windows windows, long from, long to) {
        return windows.all().stream()
                .filter(window -> window.fault() == Fault.CLIENT_KILLED && window.overlaps(from, to))
                .count();
    }

    /** {@return the times in which there may have been no room, or no item} Before the first of them, nothing is known. */
    Times without(boolean room, Windows windows) {
        Times times = new Times();
        long since = Long.MIN_VALUE;
        boolean known = false;
        long number = 0;
        for (Exchanged next : all) {
            if (!known || number(next) != number + 1) {
                times.add(since, next.at());
            }
            number = number(next);
            since = next.since();
            known = room ? size(next) < next.capacity() : size(next) > 0;
        }
        if (!known || killed(windows, since, Operation.NEVER) > 0) {
            times.add(since, Operation.NEVER);
        }
        return times;
    }
}
