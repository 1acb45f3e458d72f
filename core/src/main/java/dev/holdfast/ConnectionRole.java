package dev.holdfast;

/** What a client uses a connection for. May gain constants: code that switches over it needs a default. */
public enum ConnectionRole {
    /** Commands: while it is down, nothing is acquired, released or renewed. */
    COMMANDS,
    /** Subscriptions: while it is down, waiters are not notified of releases, and retry at intervals. */
    SUBSCRIPTIONS
}
