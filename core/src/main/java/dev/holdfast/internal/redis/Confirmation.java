package dev.holdfast.internal.redis;

/** What other nodes have said about one that was silent for a while: whether it is still the master. */
public enum Confirmation {
    /** It is: what it has replied counts. */
    CONFIRMED,
    /** Another node is, and is known to be: what this one has replied does not count. */
    REPLACED,
    /** No other node has answered in time, or not in a way that is known to be up to date. */
    UNANSWERED
}
