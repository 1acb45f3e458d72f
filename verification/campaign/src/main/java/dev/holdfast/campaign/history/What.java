package dev.holdfast.campaign.history;

/** What is asked of a lock. Whether an acquisition is a re-entry is known by its owner, not by how it is asked for. */
public enum What {
    /** Acquire, however long it takes. */
    LOCK,
    /** Acquire now or not at all. */
    TRY,
    /** Acquire within a wait. */
    TRY_WAIT,
    /** Give back one level. */
    UNLOCK,
    /** Make a lease longer. */
    EXTEND,
    /** Ask Redis who has the lock, as one who has it. */
    INSPECT;

    /** {@return whether this asks for a level more} */
    public boolean acquires() {
        return this == LOCK || this == TRY || this == TRY_WAIT;
    }
}
