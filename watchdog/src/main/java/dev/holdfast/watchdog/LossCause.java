package dev.holdfast.watchdog;

/** Why a lease is lost. */
public enum LossCause {
    /** It ran out as it was meant to: not watched, abandoned by its owner, or held longer than the longest hold. */
    EXPIRED,
    /** It ran out while renewals of it, or the command that was to grant it, had no answer. */
    UNANSWERED,
    /** It ran out before a renewal could even be sent: the process, or the timer's thread, stood still that long. */
    STALLED,
    /** The store said that it is not ours. */
    REFUSED,
    /** It ran out because the keeper was closed and renews nothing any more. */
    CLOSED
}
