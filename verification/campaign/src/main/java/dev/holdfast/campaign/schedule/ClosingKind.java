package dev.holdfast.campaign.schedule;

/** How a client is closed at the end of a round. */
public enum ClosingKind {
    /** By a thread without an interrupt, when no call is in progress. */
    PLAIN,
    /** By a thread that is interrupted, while acquisitions wait. */
    INTERRUPTED,
    /** By a callback of the client, while acquisitions wait. */
    IN_CALLBACK,
    /** While a callback of the client blocks on an acquisition that waits. */
    BESIDE_BLOCKED_CALLBACK
}
