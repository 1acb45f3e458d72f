package dev.holdfast.campaign.schedule;

/** How an actor asks for a lock. */
public enum ActorKind {
    /** A thread that blocks, and is the owner. */
    BLOCKING,
    /** A thread that is the owner, by futures. */
    ASYNC,
    /** An owner id, by futures. */
    OWNED,
    /** A handle, blocking. */
    HANDLE,
    /** A handle, by futures. */
    HANDLE_ASYNC
}
