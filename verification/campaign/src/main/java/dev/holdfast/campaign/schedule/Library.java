package dev.holdfast.campaign.schedule;

/** The library whose locks a client uses. */
public enum Library {
    HOLDFAST,
    /** An earlier build of Holdfast, by the public API that it has in common with the present one. */
    HOLDFAST_BEFORE,
    /** Redisson, on the same locks. Only its public API is used. */
    REDISSON
}
