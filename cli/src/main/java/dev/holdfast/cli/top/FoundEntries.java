package dev.holdfast.cli.top;

import dev.holdfast.LockInfo;
import dev.holdfast.LockType;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.cli.found.FoundLock;
import dev.holdfast.cli.found.FoundSemaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Makes the lines of the table of what was read. */
final class FoundEntries {
    private FoundEntries() {}

    /** {@return the lock, if it is held, and those of its conditions for which owners wait} */
    static List<Entry> of(FoundLock found) {
        List<Entry> entries = new ArrayList<>();
        LockInfo info = found.info();
        if (info.isLocked()) {
            entries.add(new Entry(
                    kindOf(found),
                    info.name(),
                    "",
                    info.holders().stream()
                            .map(holder -> new Entry.Holder(
                                    holder.owner(),
                                    holder.label(),
                                    holder.since(),
                                    holder.holdCount(),
                                    OptionalInt.empty(),
                                    found.isReadWrite() ? Optional.of(found.mode(holder)) : Optional.empty(),
                                    holder.remainingLease().or(info::remainingLease),
                                    holder.token()))
                            .toList(),
                    info.line().stream()
                            .map(request -> new Entry.Waiter(request.owner(), request.label(), wants(request.type())))
                            .toList(),
                    info.clientsInLine(),
                    0,
                    OptionalInt.empty(),
                    info.remainingLease()));
        }
        new TreeMap<>(info.conditionWaiters()).forEach((name, owners) -> entries.add(ofCondition(info, name, owners)));
        return entries;
    }

    private static Entry ofCondition(LockInfo lock, String condition, List<String> owners) {
        return new Entry(
                Entry.Kind.CONDITION,
                lock.name(),
                condition,
                List.of(),
                owners.stream()
                        .map(owner -> new Entry.Waiter(owner, Optional.empty(), ""))
                        .toList(),
                owners.size(),
                0,
                OptionalInt.empty(),
                Optional.empty());
    }

    private static Entry.Kind kindOf(FoundLock found) {
        if (found.isReadWrite()) {
            return Entry.Kind.READ_WRITE;
        }
        return found.info().line().stream().anyMatch(request -> request.type() == LockType.FAIR)
                ? Entry.Kind.FAIR
                : Entry.Kind.LOCK;
    }

    private static String wants(LockType type) {
        return type == LockType.PLAIN ? "" : type.name().toLowerCase(Locale.ROOT);
    }

    /** {@return the semaphore, if it is in use} */
    static List<Entry> of(FoundSemaphore found) {
        SemaphoreInfo info = found.info();
        if (!found.isInUse()) {
            return List.of();
        }
        return List.of(new Entry(
                Entry.Kind.SEMAPHORE,
                info.name(),
                "",
                info.holders().stream()
                        .map(holder -> new Entry.Holder(
                                holder.owner(),
                                holder.label(),
                                holder.since(),
                                holder.permits(),
                                OptionalInt.of(holder.number()),
                                Optional.empty(),
                                Optional.of(holder.remainingLease()),
                                OptionalLong.empty()))
                        .toList(),
                info.line().stream()
                        .map(request -> new Entry.Waiter(
                                request.owner(), request.label(), request.permits() + " of " + request.limit()))
                        .toList(),
                info.line().size(),
                0,
                info.limit(),
                info.holders().stream()
                        .map(SemaphoreInfo.Holder::remainingLease)
                        .max(Comparator.naturalOrder())));
    }

    /** {@return the latch} Redis does not say how many wait for it. */
    static Entry latch(String name, long count, Optional<Duration> lease) {
        return new Entry(Entry.Kind.LATCH, name, "", List.of(), List.of(), 0, count, OptionalInt.empty(), lease);
    }
}
