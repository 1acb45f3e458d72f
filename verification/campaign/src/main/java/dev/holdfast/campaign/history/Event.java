package dev.holdfast.campaign.history;

import java.util.List;

/**
 * Something that happened, with the monotonic time of it: {@link System#nanoTime()}, which the JVMs of one Linux machine
 * share. Names of processes, owners and locks are texts without further meaning, but for this: an owner is
 * {@code "<client id>:<owner id>"}, and owners with the same client id are of one client. Each handle is an owner.
 *
 * <p>The operations of one owner on one lock follow one another: none is called before the one before it has returned. A
 * wait that is cancelled has returned when its future is done.
 *
 * <p>A time is taken on the side of it that makes what is recorded <em>certainly</em> true: before an action that begins
 * something, after one that ends it.
 */
public sealed interface Event {
    /** {@return when, in nanoseconds of the monotonic clock} */
    long at();

    /** A process that will use locks is there; the first event of its journal. */
    record Started(long at, String process) implements Event {}

    /** A process has begun to close its clients. From here on, {@link Loss#CLOSED} is no surprise. */
    record Closing(long at, String process) implements Event {}

    /**
     * Somebody has looked for what is left, after everything was closed: in a process for entries, timeouts and threads, and
     * under the name {@link #SERVER} for keys and channels.
     *
     * @param where the process, or {@link #SERVER}
     * @param left what was found, in words; empty if nothing was
     */
    record Inspected(long at, String where, List<String> left) implements Event {
        /** Where keys and channels are looked for. */
        public static final String SERVER = "server";

        public Inspected {
            left = List.copyOf(left);
        }
    }

    /**
     * An operation is about to begin.
     *
     * @param fenced whether it asks for a fenced lock; false of what acquires nothing
     * @param waitMillis how long it may wait: 0 for not at all, -1 for ever
     * @param leaseMillis the lease asked for, 0 for one that is renewed
     */
    record Called(
            long at,
            Op op,
            What what,
            By by,
            String lock,
            boolean fenced,
            String owner,
            long waitMillis,
            long leaseMillis)
            implements Event {}

    /**
     * An operation has come back. One whose process was killed before has no such event.
     *
     * @param token the token granted, 0 if none
     * @param holds how many levels the owner has after it, 0 if unknown
     * @param loss why, if the outcome is {@link Outcome#LOST}, otherwise {@link Loss#NONE}
     */
    record Returned(long at, Op op, Outcome outcome, long token, int holds, Loss loss) implements Event {}

    /**
     * A holder that asked Redis who has the lock was shown for how long Redis keeps it without renewal.
     *
     * @param op the operation that asked
     * @param leaseMillis what is left of the lease, {@link #FOR_EVER} if the key has no expiry
     */
    record LeaseShown(long at, Op op, long leaseMillis) implements Event {
        /** The lease of a key without expiry. */
        public static final long FOR_EVER = -1;
    }

    /**
     * Every look at a hold's validity between two moments, by the holder's local clock, found it valid, so it believed itself
     * the holder all the time.
     *
     * @param op the acquisition
     * @param since after the first such look had answered
     * @param at before the last of them asked
     */
    record Believed(long since, long at, Op op) implements Event {}

    /**
     * A holder has heard that a renewal was confirmed.
     *
     * @param op the acquisition; of several levels, any
     * @param since when the renewal can have been sent at the earliest
     * @param leaseMillis how long the lease is from then on
     */
    record Confirmed(long since, long at, Op op, long leaseMillis) implements Event {}

    /** A holder has heard that a renewal is late. */
    record AtRisk(long at, Op op) implements Event {}

    /** A holder was told that its lease is lost, for the first time in this way. */
    record Announced(long at, Op op, Told through, Loss loss) implements Event {}

    /** A holder has looked, and found for the first time that its hold is not valid; nobody needs to have told it. */
    record SeenLost(long at, Op op) implements Event {}

    /**
     * A holder has tried to write to a resource that rejects stale tokens.
     *
     * @param since before the write was sent
     * @param at after it was answered
     * @param op the acquisition under which it was written
     * @param token the token it was written with
     * @param accepted whether the resource took it
     * @param sequence how many writes the resource has taken, this one included; 0 if it was not taken
     */
    record Wrote(long since, long at, Op op, String lock, long token, boolean accepted, long sequence)
            implements Event {}

    /** A fault is about to begin. What happens at once, begins and ends around it. */
    record FaultBegan(long at, int number, Fault fault, String target) implements Event {}

    /** What was broken works again. */
    record FaultEnded(long at, int number) implements Event {}

    /**
     * The server has forgotten a lock, or all, between two moments.
     *
     * @param lock its name, or {@link #ALL}
     * @param tokensToo whether it has forgotten the tokens it has given out as well
     */
    record DataLost(long since, long at, String lock, boolean tokensToo) implements Event {
        /** Every lock. */
        public static final String ALL = "*";

        /** {@return whether this lock was forgotten} */
        public boolean concerns(String name) {
            return lock.equals(ALL) || lock.equals(name);
        }
    }
}
