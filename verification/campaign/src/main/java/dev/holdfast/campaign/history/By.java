package dev.holdfast.campaign.history;

/** The API by which a lock is used. */
public enum By {
    /** Blocking calls of a thread, which is the owner. */
    BLOCKING,
    /** Futures, for a thread or an owner id. */
    ASYNC,
    /** A lease handle, which is an owner for one hold. */
    HANDLE,
    /**
     * A multi-lock: a call is one operation for each of its locks, all by the same owner, which no other call has. A
     * re-entry is no operation, unless it extends the leases.
     */
    MULTI,
    /**
     * A segmented lock: a call is one operation for each segment that it may acquire, all by the same owner, which no
     * other call has.
     */
    SEGMENT,
    /**
     * Permits of a semaphore, which several owners have at the same time. Each request is an owner for one hold; {@link
     * Event.Requested} says how many it requests.
     */
    PERMITS,
    /** A client of Redisson, which uses the same protocol. */
    REDISSON
}
