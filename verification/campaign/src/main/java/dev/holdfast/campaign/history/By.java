package dev.holdfast.campaign.history;

/** The API by which a lock is used. */
public enum By {
    /** Blocking calls of a thread, which is the owner. */
    BLOCKING,
    /** Futures, for a thread or an owner id. */
    ASYNC,
    /** A lease handle, which is an owner for one hold. */
    HANDLE,
    /** A client of Redisson, which uses the same protocol. */
    REDISSON
}
