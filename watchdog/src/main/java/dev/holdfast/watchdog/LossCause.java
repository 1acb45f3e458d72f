package dev.holdfast.watchdog;

/** Why a lease is lost. */
public enum LossCause {
    /** It ran out as intended: not watched, abandoned by its owner, or held for longer than the maximum hold. */
    EXPIRED,
    /** It ran out while its renewals, or the command that was to grant it, had no reply. */
    UNANSWERED,
    /** It ran out before a renewal could even be sent: the process, or the timer's thread, was paused for that long. */
    STALLED,
    /** The store replied that this client does not have the lease, or the caller discovered it. */
    REFUSED,
    /** It ran out because the keeper was closed and no longer renews leases. */
    CLOSED
}
