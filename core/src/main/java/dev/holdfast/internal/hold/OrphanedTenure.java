package dev.holdfast.internal.hold;

/**
 * The newest tenure of a lane that Redis may have although this client has no use for it, and how its release has
 * fared: the reply was lost, the caller had given up, the hold was lost, or its release was refused. Guarded by the
 * lane.
 */
final class OrphanedTenure {
    private static final int MOST_DOUBLINGS = 16;

    /** 0 if there is none, or an {@link OrphanRelease} runs for it. */
    private long tenure;

    /** The latest end of the lease that Redis may have for it. */
    private long untilNanos;

    /** Whether its release waits, for a connection or for the end of a pause. */
    private boolean deferred;

    /** How often in a row Redis has refused to release it. */
    private int refusals;

    boolean isKnown() {
        return tenure != 0;
    }

    boolean isNewerThan(long other) {
        return tenure > other;
    }

    boolean isDue() {
        return tenure != 0 && !deferred;
    }

    /** @param leaseEndNanos the latest end of the lease that it may have */
    void note(long orphaned, long leaseEndNanos) {
        untilNanos = tenure == 0 ? leaseEndNanos : HoldInRedis.later(untilNanos, leaseEndNanos);
        tenure = Math.max(tenure, orphaned);
    }

    /** {@return the latest end of the lease that Redis may have for it} */
    long untilNanos() {
        return untilNanos;
    }

    /** {@return the tenure, which is released from now on; 0 if there is none} */
    long take() {
        long taken = tenure;
        tenure = 0;
        return taken;
    }

    void defer(boolean waits) {
        deferred = waits;
    }

    /**
     * Its release was refused.
     *
     * @return how often in a row it had been refused before
     */
    int refused() {
        return refusals++;
    }

    void forgetRefusals() {
        refusals = 0;
    }

    /** A command of this tenure was answered: it decides, whatever the commands of older tenures did. */
    void clearUpTo(long answered) {
        if (tenure <= answered) {
            tenure = 0;
            refusals = 0;
        }
    }

    /** {@return a pause that doubles with each refusal, up to the longest one} */
    static long pauseNanos(long firstNanos, int refusalsBefore, long longestNanos) {
        return Math.min(firstNanos << Math.min(refusalsBefore, MOST_DOUBLINGS), longestNanos);
    }
}
