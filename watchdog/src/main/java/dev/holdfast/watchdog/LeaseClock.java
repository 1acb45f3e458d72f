package dev.holdfast.watchdog;

import java.util.function.LongSupplier;

/**
 * The keeper's time, and the detection of suspends. Time is the monotonic clock less its value at the start, so that
 * times are small numbers. But that clock may stop while the machine is suspended, and the store's clock does not: so
 * the wall clock is compared with it at intervals, by {@link #compareClocks}. A wall clock that has run far ahead means
 * a suspend, or that it was set forward; in both cases every lease that was last confirmed before is suspect until the
 * store has replied to a new request. A wall clock that was set back is ignored.
 *
 * <p>The differences are summed: several suspends, each too short to be distinguished from a correction of the wall
 * clock, cost a lease as much as a single one of the same total length. So the amount by which the wall clock is ahead
 * is carried over from one comparison to the next, and is reduced no faster than clocks drift apart.
 *
 * <p>The two clocks are read in an order in which a pause between the readings hides a difference rather than creating
 * one; the next comparison detects it.
 */
final class LeaseClock {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long FAR = Long.MAX_VALUE / 2;

    /**
     * The difference is reduced by a part in a thousand: ten times the drift of a clock, and negligible within a lease.
     */
    private static final long DRIFT = 1_000;

    private final LongSupplier nanoTime;
    private final LongSupplier wallMillis;
    private final long suspendNanos;
    private final long origin;

    /** Wall clock less monotonic clock, as assumed at the last comparison. Written under the keeper's lock. */
    private volatile long offset;

    /** When the last comparison was. Written and read under the keeper's lock. */
    private long lastComparison;

    /** The sum of all suspends so far, by how far the wall clock ran ahead in each. Written under the keeper's lock. */
    private volatile long gap;

    /** A command that was sent before this time proves nothing about now. Written and read under the keeper's lock. */
    private long suspectSince = Long.MIN_VALUE;

    LeaseClock(LongSupplier nanoTime, LongSupplier wallMillis, long suspendNanos) {
        this.nanoTime = nanoTime;
        this.wallMillis = wallMillis;
        this.suspendNanos = suspendNanos;
        this.origin = nanoTime.getAsLong();
        this.offset = offsetAtMost();
    }

    long now() {
        return nanoTime.getAsLong() - origin;
    }

    /** Converts a monotonic time of the caller to this clock. */
    long at(long nanos) {
        return nanos - origin;
    }

    /**
     * Converts a time of this clock to the caller's, limited to a value that a comparison by difference takes as
     * future.
     */
    long nanoTime(long at) {
        return Math.min(at, FAR) + origin;
    }

    /**
     * Whether the wall clock has run far ahead since it last had done so or was set back.
     *
     * @param wall the {@link #wallNanos()}, read before
     * @param now the {@link #now()}, read after it
     */
    boolean apart(long wall, long now) {
        return wall - now - offset > suspendNanos;
    }

    /**
     * Compares the clocks; true when the wall clock had run far ahead, and the comparison starts over. The gap is
     * written before the offset, so that a concurrent reader sees either the larger gap or the difference to the old
     * offset.
     */
    boolean compareClocks() {
        long wall = wallNanos();
        long now = now();
        boolean suspended = apart(wall, now);
        if (suspended) {
            suspectSince = now;
            long before = gap;
            gap = before + (wall - now - offset);
        }
        long present = offsetAtMost();
        offset = suspended ? present : Math.min(present, offset + (now - lastComparison) / DRIFT);
        lastComparison = now;
        return suspended;
    }

    /** Wall clock less monotonic clock, or more if the thread is paused between the readings. */
    private long offsetAtMost() {
        long nanos = now();
        return wallNanos() - nanos;
    }

    long gap() {
        return gap;
    }

    /** Whether a command that was sent then proves nothing about the time after the last suspend. */
    boolean suspects(long sent) {
        return sent < suspectSince;
    }

    long wallNanos() {
        return wallMillis.getAsLong() * NANOS_PER_MILLI;
    }
}
