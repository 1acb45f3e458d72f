package dev.holdfast.campaign.schedule;

/** Whose locks a client uses. */
public enum Library {
    HOLDFAST,
    /** Redisson, as a neighbour on the same locks. What is asked of it is only what its API tells. */
    REDISSON
}
