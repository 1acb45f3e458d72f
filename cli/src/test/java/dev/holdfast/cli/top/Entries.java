package dev.holdfast.cli.top;

import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import dev.holdfast.LockType;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.cli.found.FoundLock;
import dev.holdfast.cli.found.FoundSemaphore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Entries of each kind, as they are read, for tests of what is done with them. */
final class Entries {
    static final Instant NOW = Instant.parse("2026-02-03T12:00:00Z");
    static final String CLIENT = "6f7a3f0e-6f0c-4c53-9c39-6c2b3a1d6c8e";

    private Entries() {}

    /** A lock of one holder, which has the label {@code web-1}. */
    static Entry lock(String name, int heldSeconds, LockType... line) {
        LockHolder holder = holder("web-1", heldSeconds, LockMode.EXCLUSIVE);
        return lock(name, false, List.of(holder), line);
    }

    static Entry fenced(String name, long token) {
        LockHolder holder = holder("web-1", 3, LockMode.EXCLUSIVE).withToken(OptionalLong.of(token));
        return lock(name, false, List.of(holder));
    }

    /** A read-write lock that these clients read. */
    static Entry readBy(String name, String... labels) {
        List<LockHolder> readers = new ArrayList<>();
        for (String label : labels) {
            readers.add(holder(label, readers.size() + 1, LockMode.SHARED));
        }
        return lock(name, true, readers, LockType.WRITE);
    }

    static Entry writtenBy(String name, String label) {
        return lock(name, true, List.of(holder(label, 1, LockMode.EXCLUSIVE)));
    }

    private static LockHolder holder(String label, int heldSeconds, LockMode mode) {
        return LockHolder.of(CLIENT + ":1", label, 1, NOW.minusSeconds(heldSeconds), mode);
    }

    private static Entry lock(String name, boolean isReadWrite, List<LockHolder> holders, LockType... line) {
        List<LockInfo.Request> requests = new ArrayList<>();
        for (LockType type : line) {
            requests.add(LockInfo.Request.of(CLIENT + ":" + (requests.size() + 2), "web-2", type));
        }
        LockInfo info = LockInfo.of(name, holders, Duration.ofSeconds(20), OptionalInt.empty())
                .withClientsInLine(requests.size())
                .withLine(requests);
        return FoundEntries.of(new FoundLock(info, isReadWrite)).get(0);
    }

    /** A lock that Redisson holds: Redis does not say since when, nor a label. */
    static Entry redissons(String name) {
        LockHolder holder = LockHolder.of(CLIENT + ":1", null, 2, null, LockMode.EXCLUSIVE);
        return lock(name, false, List.of(holder));
    }

    /** Four permits, two of which each of these has. */
    static Entry semaphore(String name, String... labels) {
        List<SemaphoreInfo.Holder> holders = new ArrayList<>();
        for (String label : labels) {
            holders.add(SemaphoreInfo.Holder.of(
                    CLIENT + ":" + label, label, 2, holders.size(), NOW.minusSeconds(60), Duration.ofSeconds(9)));
        }
        SemaphoreInfo.Request request = SemaphoreInfo.Request.of(CLIENT + ":9", null, 3, 4);
        return FoundEntries.of(new FoundSemaphore(SemaphoreInfo.of(name, OptionalInt.of(4), holders, List.of(request))))
                .get(0);
    }

    static Entry latch(String name, int count) {
        return FoundEntries.latch(name, count, Optional.of(Duration.ofHours(25)));
    }

    static Entry condition(String lock, String condition, int waiters) {
        LockInfo info = LockInfo.of(lock, List.of(), null, OptionalInt.empty())
                .withConditionWaiters(
                        Map.of(condition, List.of("a:1", "b:1", "c:1").subList(0, waiters)));
        return FoundEntries.of(new FoundLock(info, false)).get(0);
    }

    static Snapshot snapshot(Entry... entries) {
        return new Snapshot(List.of(entries), NOW, List.of(), false);
    }
}
