package dev.holdfast.campaign.history;

/**
 * The operations on a lock and its conditions, and those on a latch, of which each calling thread is an owner. Whether an acquisition is a
 * re-entry follows from the state of its owner, not from the operation.
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
    INSPECT,
    /** Set the count of a latch, if it has none. The lifetime is recorded as the lease, and the count that was set as the levels. */
    SET_COUNT,
    /** Count a latch down by one. */
    COUNT_DOWN,
    /** Wait until a latch is open, with a limit on the wait. */
    AWAIT,
    /**
     * Acquire again at the end of a wait for a condition, which begins with the call. The release before it is an operation of its
     * own, which is not awaited.
     */
    REGAIN,
    /** Signal a condition, when the lock is released. */
    SIGNAL;

    /** {@return whether it is an operation on a lock, or on a semaphore} */
    public boolean isOfLock() {
        return !isOfLatch() && this != SIGNAL;
    }

    /** {@return whether it is an operation on a latch} */
    public boolean isOfLatch() {
        return this == SET_COUNT || this == COUNT_DOWN || this == AWAIT;
    }

    /** {@return whether this releases a level, at once or after a delay} */
    public boolean releases() {
        return this == UNLOCK || this == CLOSE_AFTER;
    }

    /** {@return whether this acquires a level} */
    public boolean acquires() {
        return this == LOCK || this == TRY || this == TRY_WAIT || this == REGAIN;
    }
}
