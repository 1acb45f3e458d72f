package dev.holdfast.watchdog;

/** What one round trip proved about a lease. */
public enum RenewalOutcome {
    /** The store extended the lease, whose time restarts at the moment the command was sent. To a verification: still ours. */
    RENEWED,
    /** The store answered, and the lease is not ours any more. */
    LOST,
    /** No answer. Ours until the last confirmed lease runs out, and no longer. */
    UNKNOWN
}
