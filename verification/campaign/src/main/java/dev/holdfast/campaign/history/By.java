package dev.holdfast.campaign.history;

/** In which manner a lock is used. */
public enum By {
    /** By a thread, which is the owner. */
    BLOCKING,
    /** By futures, for an owner that is no thread. */
    ASYNC,
    /** By a handle, an owner for one hold. */
    HANDLE,
    /** By a client of another library that speaks the same protocol. */
    REDISSON
}
