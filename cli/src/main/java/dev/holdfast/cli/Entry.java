package dev.holdfast.cli;

import dev.holdfast.LockInfo;
import dev.holdfast.LockType;
import dev.holdfast.SemaphoreInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * One line of the table of {@code top}: a lock, a semaphore, a latch or a condition that is in use, as it was read. What Redis does
 * not say is empty.
 *
 * @param kind what it is
 * @param name of the lock, the semaphore or the latch
 * @param condition the name of a condition of that lock; empty for one without a name, and for all else
 * @param holders those that hold it, the one that has held it longest first
 * @param line those that wait, the next one first
 * @param waiting how many wait, which may be more than are known
 * @param amount the count of a latch; 0 for all else
 * @param limit of a semaphore: how many permits there are
 * @param lease how long Redis keeps it without renewal
 */
record Entry(
        Kind kind,
        String name,
        String condition,
        List<Holder> holders,
        List<Waiter> line,
        int waiting,
        long amount,
        OptionalInt limit,
        Optional<Duration> lease) {
    /** What it is. A fair lock is one in whose line a place of a fair lock is: without a line, nothing tells it from a plain one. */
    enum Kind {
        LOCK("lock"),
        FAIR("fair"),
        READ_WRITE("read-write"),
        SEMAPHORE("semaphore"),
        LATCH("latch"),
        CONDITION("condition");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /** Which one it is, from reading to reading. */
    record Id(Kind kind, String name, String condition) {}

    /**
     * One that holds it.
     *
     * @param amount its levels, or its permits
     * @param number of its permits
     * @param mode {@code read} or {@code write}, for a read-write lock
     */
    record Holder(
            String owner,
            Optional<String> label,
            Optional<Instant> since,
            int amount,
            OptionalInt number,
            Optional<String> mode,
            Optional<Duration> lease,
            OptionalLong token) {
        /** {@return what a user knows it by: the label, or else the owner} */
        String shown() {
            return label.orElse(owner);
        }
    }

    /**
     * One that waits.
     *
     * @param wants what it waits for, in words; empty if that is plain
     */
    record Waiter(String owner, Optional<String> label, String wants) {}

    private static final Comparator<Holder> LONGEST_FIRST = Comparator.<Holder, Instant>comparing(
                    holder -> holder.since().orElse(Instant.MAX))
            .thenComparing(Holder::owner);

    Entry {
        holders = holders.stream().sorted(LONGEST_FIRST).toList();
        line = List.copyOf(line);
    }

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
                            .map(holder -> new Holder(
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
                            .map(request -> new Waiter(request.owner(), request.label(), wants(request.type())))
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
                Kind.CONDITION,
                lock.name(),
                condition,
                List.of(),
                owners.stream()
                        .map(owner -> new Waiter(owner, Optional.empty(), ""))
                        .toList(),
                owners.size(),
                0,
                OptionalInt.empty(),
                Optional.empty());
    }

    private static Kind kindOf(FoundLock found) {
        if (found.isReadWrite()) {
            return Kind.READ_WRITE;
        }
        return found.info().line().stream().anyMatch(request -> request.type() == LockType.FAIR)
                ? Kind.FAIR
                : Kind.LOCK;
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
                Kind.SEMAPHORE,
                info.name(),
                "",
                info.holders().stream()
                        .map(holder -> new Holder(
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
                        .map(request -> new Waiter(
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
    static Entry ofLatch(String name, long count, Optional<Duration> lease) {
        return new Entry(Kind.LATCH, name, "", List.of(), List.of(), 0, count, OptionalInt.empty(), lease);
    }

    Id id() {
        return new Id(kind, name, condition);
    }

    /** {@return since when the first of the holders has it} */
    Optional<Instant> since() {
        return holders.stream().findFirst().flatMap(Holder::since);
    }

    /** {@return the token of the one that holds it} */
    OptionalLong token() {
        return holders.stream().map(Holder::token).findFirst().orElse(OptionalLong.empty());
    }

    /** {@return how much of it is in use: levels, readers, permits, a count, or waiters} */
    String use() {
        return switch (kind) {
            case LOCK, FAIR -> number(holders.get(0).amount(), "level");
            case READ_WRITE ->
                isWritten() ? "write, " + number(holders.get(0).amount(), "level") : number(holders.size(), "reader");
            case SEMAPHORE -> held() + " of " + limit.orElse(0);
            case LATCH -> "count " + amount;
            case CONDITION -> number(waiting, "waiter");
        };
    }

    private boolean isWritten() {
        return holders.get(0).mode().equals(Optional.of("write"));
    }

    /** {@return how many permits are held} */
    int held() {
        return holders.stream().mapToInt(Holder::amount).sum();
    }

    private static String number(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
