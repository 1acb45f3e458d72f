package dev.holdfast.watchdog;

import java.util.function.LongSupplier;

/**
 * The keeper's time, and its suspicion of it. Time is the monotonic clock less its value at the start, so that times are
 * small numbers. But that clock may stand still while the machine is suspended, and the store's does not: so the wall
 * clock is compared with it once a beat. One that has run far ahead means a suspend, or somebody set it; either way every
 * lease that was last confirmed before is suspect until the store has been asked. One that was set back means nothing.
 *
 * <p>Far ahead is a matter of the sum: several suspends that are each too short to tell from a clock that is set right cost a
 * lease as much as one that is as long. So what the wall clock is ahead is carried on from beat to beat, and forgiven no
 * faster than clocks drift apart.
 *
 * <p>The order in which the two clocks are read makes a pause between the readings hide a difference rather than invent
 * one; the next beat sees it.
 */
final class LeaseClock {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long FAR = Long.MAX_VALUE / 2;

    /** A part in a thousand is forgiven: ten times what a clock drifts, and nothing within a lease. */
    private static final long DRIFT = 1_000;

    private final LongSupplier nanoTime;
    private final LongSupplier wallMillis;
    private final long suspendNanos;
    private final long origin;

    /** Wall clock less monotonic clock as it was taken to be at the last beat. Written under the keeper's lock. */
    private volatile long offset;

    /** When the last beat was. Written and read under the keeper's lock. */
    private long beaten;

    /** All that the wall clock ever ran ahead, summed; grows with each suspend. Written under the keeper's lock. */
    private volatile long gap;

    /** What was sent before this proves nothing about now. Written and read under the keeper's lock. */
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

    /** A caller's monotonic time as one of this clock. */
    long at(long nanos) {
        return nanos - origin;
    }

    /** A time of this clock as the caller's, no further away than can be told from the past. */
    long nanoTime(long at) {
        return Math.min(at, FAR) + origin;
    }

    /**
     * Whether the wall clock has run far ahead, since the last time it had or was set back.
     *
     * @param wall the {@link #wallNanos()}, read before
     * @param now the {@link #now()}, read after it
     */
    boolean apart(long wall, long now) {
        return wall - now - offset > suspendNanos;
    }

    /**
     * Compares the clocks; true when the wall clock had run far ahead, and the comparison starts over. The gap is written
     * before the offset, so that who looks meanwhile sees one or the other.
     */
    boolean beat() {
        long wall = wallNanos();
        long now = now();
        boolean suspended = apart(wall, now);
        if (suspended) {
            suspectSince = now;
            long before = gap;
            gap = before + (wall - now - offset);
        }
        long present = offsetAtMost();
        offset = suspended ? present : Math.min(present, offset + (now - beaten) / DRIFT);
        beaten = now;
        return suspended;
    }

    /** Wall clock less monotonic clock, or more if there is a pause between the readings. */
    private long offsetAtMost() {
        long nanos = now();
        return wallNanos() - nanos;
    }

    long gap() {
        return gap;
    }

    /** Whether a command sent then says nothing about the time after the last suspend. */
    boolean suspects(long sent) {
        return sent < suspectSince;
    }

    long wallNanos() {
        return wallMillis.getAsLong() * NANOS_PER_MILLI;
    }
}
