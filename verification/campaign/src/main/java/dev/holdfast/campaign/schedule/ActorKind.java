package dev.holdfast.campaign.schedule;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

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
    /** A thread that holds the first lock of the round for most of the time. */
    HOARDER,
    /** A lease handle that is closed after a delay, so that the lock stays busy. */
    KEEPER,
    /** A multi-lock, by blocking calls; its owner is the thread. */
    MULTI,
    /** A handle of a multi-lock, by blocking calls. */
    MULTI_HANDLE,
    /** A handle of a multi-lock, by futures. */
    MULTI_ASYNC,
    /** A segment of a segmented lock, by blocking calls. */
    SEGMENT,
    /** A segment of a segmented lock, by futures. */
    SEGMENT_ASYNC,
    /** An owner id whose future has a callback that blocks for as long as the lock is held. */
    CALLBACK,
    /** A thread that writes, and goes on reading when it releases the write lock. */
    DOWNGRADER,
    /** A thread that awaits latches. */
    AWAITER,
    /** A thread that counts latches down. */
    COUNTER,
    /** A thread that counts latches down, and sets the same ones again at once. */
    RESETTER,
    /** A thread that requests permits of semaphores: mostly few, in some turns many. */
    PERMITS,
    /** The same by futures. */
    PERMITS_ASYNC,
    /** A thread that tries to acquire permits in a loop, and never waits. */
    PERMITS_POLLER,
    /** A thread that has one permit most of the time, so that all are hardly ever free unless a request for many has its turn. */
    PERMITS_RESTLESS,
    /** A thread that requests all permits there are. */
    ALL_PERMITS,
    /** A thread that puts items into a bounded buffer, and waits for a condition while that is full. */
    PRODUCER,
    /** A thread that takes items out of a bounded buffer, and waits for a condition while that is empty. */
    CONSUMER;

    /** The kinds that close some of their handles after a delay. */
    static final Set<ActorKind> CLOSING_AFTER =
            EnumSet.of(KEEPER, MULTI_HANDLE, MULTI_ASYNC, SEGMENT, SEGMENT_ASYNC, PERMITS, PERMITS_ASYNC);

    /** The kinds that each Holdfast client has in a general round that is not quiet. */
    static final List<ActorKind> ORDINARY = List.of(BLOCKING, ASYNC, OWNED, HANDLE, HANDLE_ASYNC);

    /** The kinds from which one to three more actors of each such client are drawn. */
    static final List<ActorKind> ANYWHERE =
            List.of(BLOCKING, ASYNC, OWNED, HANDLE, HANDLE_ASYNC, POLLER, WAVERING, WAVERING_OWNED, CALLBACK);

    /** {@return the kind that uses one lock by the same API, if this one uses several together; else this one} */
    ActorKind ofOneLock() {
        return switch (this) {
            case MULTI -> BLOCKING;
            case MULTI_HANDLE -> HANDLE;
            case MULTI_ASYNC -> HANDLE_ASYNC;
            default -> this;
        };
    }
}
