package dev.holdfast.campaign.schedule;

/** The library whose locks a client uses. */
public enum Library {
    HOLDFAST,
    /** Redisson, on the same locks. Only its public API is used. */
    REDISSON
}
