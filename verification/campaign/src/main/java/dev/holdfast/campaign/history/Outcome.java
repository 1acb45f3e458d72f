package dev.holdfast.campaign.history;

/** The outcome of a call. */
public enum Outcome {
    /** It acquired a level. */
    GRANTED,
    /** Another owner had the lock. */
    REFUSED,
    /**
     * It was called together with others, and ended without this lock: another lock of a multi-lock was busy or lost, or
     * another segment was granted. If the call took effect, that is to be undone.
     */
    MISSED,
    /** The caller holds or acquires the lock of the other kind, plain or fenced; the call was rejected. */
    REJECTED,
    /** It released a level. */
    RELEASED,
    /** It extended the lease. */
    EXTENDED,
    /** Redis shows the caller as the holder, with this number of levels. */
    SHOWN,
    /** Redis does not show the caller as a holder. */
    NOT_SHOWN,
    /** The hold that was to be released or extended had been lost before. */
    LOST,
    /** The caller had no level to release. */
    NOT_HELD,
    /** An unawaited release was sent. It takes effect soon. */
    SENT,
    /** The count of the latch was set or counted down, or the latch is open. */
    DONE,
    /** The latch has a count: it was not set, or it did not open in time. */
    COUNTING,
    /** The count that was awaited was deleted, or has expired. */
    GONE,
    /** There was no reply, or an error: whether it took effect, and when, is unknown. */
    FAILED,
    /** The caller was interrupted. If the call took effect, that is to be undone. */
    INTERRUPTED,
    /** The caller cancelled the future. If the call took effect, that is to be undone. */
    CANCELLED,
    /** The client was closed. */
    CLOSED;

    /** {@return whether the effect of the call is known} */
    public boolean isKnown() {
        return switch (this) {
            case GRANTED,
                    REFUSED,
                    REJECTED,
                    RELEASED,
                    EXTENDED,
                    SHOWN,
                    NOT_SHOWN,
                    LOST,
                    NOT_HELD,
                    DONE,
                    COUNTING,
                    GONE -> true;
            case MISSED, SENT, FAILED, INTERRUPTED, CANCELLED, CLOSED -> false;
        };
    }
}
