package dev.holdfast.cli.top;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

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
    /** What it is. A fair lock is one in whose line a place of a fair lock is: without a line, it looks like a plain one. */
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
