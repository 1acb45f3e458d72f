package dev.holdfast.campaign.history;

/** The reason of a lost lease, as reported to its holder. */
public enum Loss {
    /** The lease ran out. */
    EXPIRED,
    /** Another owner has the lock. */
    TAKEN,
    /** The key no longer existed. */
    GONE,
    /** Another Redis node has the lock by now, and has not got the hold. */
    FAILOVER,
    /** The lease ran out while renewals had no reply. */
    UNREACHABLE,
    /** The lease ran out while Redis refused to renew it. */
    REFUSED,
    /** The client was closed. */
    CLOSED,
    /** Nothing was lost. */
    NONE
}
