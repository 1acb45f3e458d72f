package dev.holdfast;

/** The counters of a client; {@link HoldfastStats} documents each. */
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
