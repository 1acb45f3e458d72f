package dev.holdfast.campaign.history;

/** Why a lease was lost, as its holder was told. */
public enum Loss {
    /** It ran out. */
    EXPIRED,
    /** Another owner has the lock. */
    TAKEN,
    /** The key vanished. */
    GONE,
    /** It ran out while renewals had no answer. */
    UNREACHABLE,
    /** It ran out while Redis refused its renewals. */
    REFUSED,
    /** The client was closed. */
    CLOSED,
    /** Nothing was lost. */
    NONE
}
