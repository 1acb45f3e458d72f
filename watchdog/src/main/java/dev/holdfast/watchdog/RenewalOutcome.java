package dev.holdfast.watchdog;

/** The result of one request for a lease. */
public enum RenewalOutcome {
    /**
     * The store extended the lease, whose time restarts at the moment the command was sent. For a verification: this
     * client still has the lease.
     */
    RENEWED,
    /** The store replied that this client no longer has the lease. */
    LOST,
    /** No reply. The client has the lease until the last confirmed one runs out, and no longer. */
    UNKNOWN
}
