package dev.holdfast.campaign.history;

/**
 * The operations on a lock. Whether an acquisition is a re-entry follows from the state of its owner, not from the
 * operation.
 */
public enum What {
    /** Acquire, without a limit on the wait. */
    LOCK,
    /** Acquire without waiting. */
    TRY,
    /** Acquire, with a limit on the wait. */
    TRY_WAIT,
    /** Release one level. */
    UNLOCK,
    /** Release the last level after a delay, which is recorded as the lease: until then, the lock stays busy. */
    CLOSE_AFTER,
    /** Extend the lease. */
    EXTEND,
    /** Inspect the lock in Redis, as its holder. */
    INSPECT;

    /** {@return whether this releases a level, at once or after a delay} */
    public boolean releases() {
        return this == UNLOCK || this == CLOSE_AFTER;
    }

    /** {@return whether this acquires a level} */
    public boolean acquires() {
        return this == LOCK || this == TRY || this == TRY_WAIT;
    }
}
