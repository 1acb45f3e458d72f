package dev.holdfast.campaign.schedule;

import java.util.List;

/** The API by which an actor uses locks, and its pattern of use. */
public enum ActorKind {
    /** Blocking calls; the owner is the thread. */
    BLOCKING,
    /** Futures; the owner is the thread. */
    ASYNC,
    /** Futures; the owner is an owner id. */
    OWNED,
    /** A lease handle, by blocking calls. */
    HANDLE,
    /** A lease handle, by futures. */
    HANDLE_ASYNC,
    /** A thread that calls {@code tryLock()} in a loop, and never waits. */
    POLLER,
    /** A thread that waits for the lock, holds it briefly, and acquires it again at once. */
    RESTLESS,
    /** The same with a handle for each hold. */
    RESTLESS_HANDLE,
    /** The same, but waits no longer than a line of clients takes for a turn or two, and then requests the lock again. */
    IMPATIENT,
    /** A thread that holds the lock for about as long as a failover takes, so that some of its holds last through one. */
    LASTING,
    /** A thread that requests a long lease, gives up by an interrupt, and requests a short one. */
    WAVERING,
    /** An owner id that requests a long lease, gives up by cancellation, and requests a short one. */
    WAVERING_OWNED,
    /** An owner id whose future has a callback that blocks for as long as the lock is held. */
    CALLBACK;

    /** The kinds that each Holdfast client has in a general round that is not quiet. */
    static final List<ActorKind> ORDINARY = List.of(BLOCKING, ASYNC, OWNED, HANDLE, HANDLE_ASYNC);

    /** The kinds from which one to three more actors of each such client are drawn. */
    static final List<ActorKind> ANYWHERE =
            List.of(BLOCKING, ASYNC, OWNED, HANDLE, HANDLE_ASYNC, POLLER, WAVERING, WAVERING_OWNED, CALLBACK);
}
