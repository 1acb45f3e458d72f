package dev.holdfast.campaign.history;

import java.util.List;

/**
 * One recorded event, with its monotonic time: {@link System#nanoTime()}, which all JVMs on one Linux machine share.
 * Names of processes, owners and locks are opaque, with one exception: an owner is {@code "<client id>:<owner id>"},
 * and owners with the same client id belong to one client. Each handle is an owner. An owner of a read-write lock that reads has the
 * suffix {@link Operation#READS}: reading and writing are holds of their own, also if one owner has both.
 *
 * <p>The operations of one owner on one lock are sequential: none is called before the previous one has returned. A
 * cancelled wait has returned when its future is done.
 *
 * <p>A time is taken on the side that makes the record <em>certainly</em> true: before an action whose begin is
 * recorded, after one whose end is recorded.
 */
public sealed interface Event {
    /** {@return the time of the event, in nanoseconds of the monotonic clock} */
    long at();

    /** A process that will use locks has started; the first event of its journal. */
    record Started(long at, String process) implements Event {}

    /** A process begins to close its clients. From here on, {@link Loss#CLOSED} is an expected reason. */
    record Closing(long at, String process) implements Event {}

    /**
     * The check for leftovers after everything was closed: of a process for entries, timeouts and threads, and under
     * the name {@link #SERVER} for keys, channels and connections.
     *
     * @param where the process, or {@link #SERVER}
     * @param left a description of each leftover; empty if there was none
     */
    record Inspected(long at, String where, List<String> left) implements Event {
        /** The place of leftover keys, channels and connections. */
        public static final String SERVER = "server";

        public Inspected {
            left = List.copyOf(left);
        }
    }

    /**
     * An operation is about to be called.
     *
     * @param fenced whether it acquires a fenced lock; false for an operation that acquires nothing
     * @param waitMillis how long it may wait: 0 for not at all, -1 for no limit
     * @param leaseMillis the requested lease, 0 for one that is renewed
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
     * An operation has returned. If its process was killed before, there is no such event.
     *
     * @param token the token granted, 0 if none
     * @param holds the number of levels that the owner has afterwards, 0 if unknown
     * @param loss the reason if the outcome is {@link Outcome#LOST}, otherwise {@link Loss#NONE}
     */
    record Returned(long at, Op op, Outcome outcome, long token, int holds, Loss loss) implements Event {}

    /**
     * How many permits of a semaphore an acquisition requests. It has just been called.
     *
     * @param limit how many may be held together with these
     */
    record Requested(long at, Op op, int permits, int limit) implements Event {}

    /** The number of the permits that an acquisition was granted, as their holder reads it; it returns now. */
    record Numbered(long at, Op op, int number) implements Event {}

    /**
     * The lease that Redis showed to a holder that inspected its lock: for how long Redis keeps it without renewal.
     *
     * @param op the inspection
     * @param leaseMillis what is left of the lease, {@link #FOR_EVER} if the key has no expiry
     */
    record LeaseShown(long at, Op op, long leaseMillis) implements Event {
        /** The lease of a key without expiry. */
        public static final long FOR_EVER = -1;
    }

    /**
     * A holder has checked its hold several times between two moments, by its local clock, and has found it valid each
     * time: it considered itself the holder throughout.
     *
     * @param op the acquisition
     * @param since after the first of these checks had returned
     * @param at before the last of them was called
     */
    record Believed(long since, long at, Op op) implements Event {}

    /**
     * The client has reported a confirmed renewal.
     *
     * @param op the acquisition; if there are several levels, any of them
     * @param since the earliest time at which the renewal can have been sent
     * @param leaseMillis the length of the lease from then on
     */
    record Confirmed(long since, long at, Op op, long leaseMillis) implements Event {}

    /** The client has reported a hold as at risk, because a renewal is late. */
    record AtRisk(long at, Op op) implements Event {}

    /** The client has reported the loss of a hold, for the first time through this channel. */
    record Announced(long at, Op op, ReportChannel through, Loss loss) implements Event {}

    /** A check has found the hold invalid, for the first time; whether the loss was reported before does not matter. */
    record SeenLost(long at, Op op) implements Event {}

    /**
     * A holder has written to a resource that refuses stale tokens.
     *
     * @param since before the write was sent
     * @param at after the reply
     * @param op the acquisition that the hold began with
     * @param token the token of the write
     * @param accepted whether the resource accepted it
     * @param sequence the number of writes that the resource has accepted, this one included; 0 if it was refused
     */
    record Wrote(long since, long at, Op op, String lock, long token, boolean accepted, long sequence)
            implements Event {}

    /**
     * What an acquisition that has just been called waits for, before it acquires a lock again.
     *
     * @param room whether it is room in the buffer that the lock guards, or else an item
     */
    record WaitsFor(long at, Op op, boolean room) implements Event {}

    /**
     * A holder has put an item into the buffer that the lock guards, or has taken one out of it. The buffer refuses stale tokens,
     * and is written as the holder has found it before, with one item more or less.
     *
     * @param since before the write was sent
     * @param at after the reply
     * @param op the acquisition that the hold began with
     * @param put how many items have been put into it so far
     * @param taken how many have been taken
     * @param capacity how many items there can be in it
     */
    record Exchanged(long since, long at, Op op, String lock, long put, long taken, int capacity) implements Event {}

    /** A fault is about to begin. A fault without duration takes effect between this event and {@link FaultEnded}. */
    record FaultBegan(long at, int number, Fault fault, String target) implements Event {
        /** The target of a fault that hits no client: servers other than those that the clients' commands go to. */
        public static final String OTHERS = "others";
    }

    /** A fault has ended. */
    record FaultEnded(long at, int number) implements Event {}

    /**
     * The server has lost a lock, or all of its locks, between two moments; or it may have.
     *
     * @param lock its name, or {@link #ALL}
     * @param tokensToo whether it has lost the issued tokens as well
     * @param certain whether the locks were lost for sure: a replica that takes the place of its master has some of
     *     them, or all
     */
    record DataLost(long since, long at, String lock, boolean tokensToo, boolean certain) implements Event {
        /** All locks. */
        public static final String ALL = "*";

        /** {@return whether this lock was lost} */
        public boolean concerns(String name) {
            return lock.equals(ALL) || lock.equals(name);
        }
    }

    /** A process did not run between two moments, though nobody had stopped it: the machine did not let it. */
    record StoodStill(long since, long at, String process) implements Event {}
}
