package dev.holdfast;

/** What is counted; {@link HoldfastStats} says of each what it means. */
enum Count {
    HOLDS,
    WAITERS,
    ACQUIRED,
    HANDOFFS,
    REFUSED,
    GIVEN_UP,
    FAILED,
    RELEASED,
    ORPHANS_RELEASED,
    RENEWALS,
    AT_RISK,
    UNKNOWN_OUTCOMES,
    RECONNECTS,
    DROPPED_EVENTS
}
