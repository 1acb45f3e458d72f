package dev.holdfast.campaign.history;

/** What a call came back with. */
public enum Outcome {
    /** It acquired a level. */
    GRANTED,
    /** Somebody else had the lock. */
    REFUSED,
    /** The caller holds the lock of the other kind, plain or fenced, and may not have this one as well. */
    REJECTED,
    /** It gave back a level. */
    RELEASED,
    /** It made the lease longer. */
    EXTENDED,
    /** Redis shows the caller as the holder, with so many levels. */
    SHOWN,
    /** Redis shows another, or nobody, as the holder. */
    NOT_SHOWN,
    /** What was to be given back or extended had been lost before. */
    LOST,
    /** What was to be given back had never been held. */
    NOT_HELD,
    /** A release that nobody awaits was handed over. It takes effect soon. */
    SENT,
    /** No answer, or an error: whether it took effect, and when, is unknown. */
    FAILED,
    /** The caller was interrupted. Whatever took effect is to be taken back. */
    INTERRUPTED,
    /** The caller cancelled it. Whatever took effect is to be taken back. */
    CANCELLED,
    /** The client was closed. */
    CLOSED;

    /** {@return whether the lock said what it did; of the others it is unknown} */
    public boolean isKnown() {
        return switch (this) {
            case GRANTED, REFUSED, REJECTED, RELEASED, EXTENDED, SHOWN, NOT_SHOWN, LOST, NOT_HELD -> true;
            case SENT, FAILED, INTERRUPTED, CANCELLED, CLOSED -> false;
        };
    }
}
