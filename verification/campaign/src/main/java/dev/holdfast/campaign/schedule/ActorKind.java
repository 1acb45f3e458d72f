package dev.holdfast.campaign.schedule;

import java.util.List;

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
    HANDLE_ASYNC,
    /** A thread that calls {@code tryLock()} again and again, and never waits. */
    POLLER,
    /** A thread that waits for the lock, works for a moment, and comes again at once. */
    RESTLESS,
    /** The same with a handle for each visit. */
    RESTLESS_HANDLE,
    /** A thread that asks for a long lease, is interrupted, and asks for a short one. */
    WAVERING,
    /** An owner id that asks for a long lease, cancels, and asks for a short one. */
    WAVERING_OWNED,
    /** An owner id whose work is done in the callback of its future, which blocks. */
    CALLBACK;

    /** Those that take part in every general round that is not quiet. */
    static final List<ActorKind> ORDINARY = List.of(BLOCKING, ASYNC, OWNED, HANDLE, HANDLE_ASYNC);

    /** Those of which some take part as well. */
    static final List<ActorKind> ANYWHERE =
            List.of(BLOCKING, ASYNC, OWNED, HANDLE, HANDLE_ASYNC, POLLER, WAVERING, WAVERING_OWNED, CALLBACK);
}
