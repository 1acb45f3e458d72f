package dev.holdfast.internal.hold;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.node.Home;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One lock, as this client knows it: the lanes of its owners, and its waiters. It is found once per call; a lane refers to
 * the rest. Owners that use {@linkplain LockKey#equals one lock} as several kinds meet here: what depends on the kind is
 * decided by that of the lane.
 *
 * <pre>
 *           the last lane is removed, and nobody waits; or the reverse
 *   IN_USE ------------------------------------------------------------> RETIRED
 * </pre>
 *
 * <p>A retired one has been removed from the registry, or is about to be, and accepts neither a lane nor waiters: a call that
 * needs a lane looks the lock up again, and an acquisition that wanted to wait has ended. Its monitor is the innermost:
 * nothing is called under it.
 */
public final class LocalLock {
    /** The holds of the client. */
    final Holds holds;

    private final LockKey key;

    /** Guarded by this. The lane of one owner; most locks have no other. */
    private @Nullable OwnerLane only;

    /** Guarded by this. The lanes of further owners; null if there are none. */
    private @Nullable Map<Long, OwnerLane> others;

    /** Written under the monitor. */
    private volatile @Nullable Successors successors;

    /** Written under the monitor. */
    private volatile boolean retired;

    /** The home that knows of all holds of this client, as far as it can; null until a command finds out, or after a move. */
    private volatile @Nullable Home settledAt;

    /** When a message said last that others wait for those that share the lock; null if none has. */
    private volatile @Nullable Long closedNanos;

    /** @param key the lock, as any of its kinds */
    public LocalLock(Holds holds, LockKey key) {
        this.holds = holds;
        this.key = key;
    }

    /** {@return the lock, as one of its kinds: they have the key and the channel in common} */
    public LockKey key() {
        return key;
    }

    // --- Lanes.

    public synchronized @Nullable OwnerLane lane(long ownerId) {
        OwnerLane first = only;
        if (first != null && first.ownerId() == ownerId) {
            return first;
        }
        return others == null ? null : others.get(ownerId);
    }

    /** {@return the owner's lane, created as this kind of lock if there is none; null if this is retired} */
    synchronized @Nullable OwnerLane laneOrNew(LockKey kind, long ownerId) {
        OwnerLane known = lane(ownerId);
        if (known != null || retired) {
            return known;
        }
        OwnerLane fresh = new OwnerLane(this, kind, ownerId);
        if (only == null) {
            only = fresh;
        } else {
            if (others == null) {
                others = new HashMap<>();
            }
            others.put(ownerId, fresh);
        }
        return fresh;
    }

    /**
     * Removes a retired lane, if that was not done before.
     *
     * @return whether the lock is retired, and is to be removed from the registry
     */
    synchronized boolean removeLane(OwnerLane lane) {
        if (only == lane) {
            only = null;
        } else if (others != null && others.remove(lane.ownerId(), lane) && others.isEmpty()) {
            others = null;
        }
        return retireUnlessUsed();
    }

    synchronized List<OwnerLane> lanes() {
        List<OwnerLane> all = others == null ? new ArrayList<>() : new ArrayList<>(others.values());
        if (only != null) {
            all.add(only);
        }
        return all;
    }

    /** {@return whether an owner of this client has the lock for itself alone now, as far as is known here} */
    public boolean isHeld() {
        return !key.kind().admitsSeveral() && lanes().stream().anyMatch(lane -> lane.held() != null);
    }

    /** Others wait for the lock: what owners of this client share since before this time admits no more of them. */
    public void close(long nowNanos) {
        closedNanos = nowNanos;
    }

    /** {@return whether that was so at this time, or later} */
    public boolean isClosedSince(long nanos) {
        Long closed = closedNanos;
        return closed != null && closed - nanos >= 0;
    }

    /** {@return whether owners of this client wait for the other side of the lock} */
    public boolean isOtherSideWanted() {
        Successors others = otherSuccessors();
        return others != null && others.hasWaiters();
    }

    private @Nullable Successors otherSuccessors() {
        LockKey otherSide = key.otherSide();
        return otherSide == null ? null : holds.locks.successors(otherSide);
    }

    // --- At the home.

    /** {@return whether this home has executed the commands for all holds of this client that it may have missed} */
    boolean isSettledAt(Home home) {
        return settledAt == home;
    }

    /** The home has executed these commands; null if it may have changed. */
    void settledAt(@Nullable Home home) {
        settledAt = home;
    }

    // --- Waiters.

    /** {@return the waiters for the lock, or the recent ones; null if there are none} */
    public @Nullable Successors successors() {
        Successors known = successors;
        return known == null && retired ? holds.locks.successors(key) : known;
    }

    /** {@return its waiters by this object; null if there are none} */
    @Nullable
    Successors ownSuccessors() {
        return successors;
    }

    /**
     * An owner of this client releases the last level of its hold.
     *
     * @return false if the caller is to send the release now; true if the lock is handed off, or its release is
     *     deferred
     */
    boolean handOff(Hold from, Release release) {
        Successors waiting = successors();
        return waiting != null && waiting.handOff(from, release);
    }

    /**
     * Sends Redis the handoffs that were not committed so far: a command about the lock follows.
     *
     * @return the home that it is to be sent to
     */
    Home commitHandoffs() {
        Successors waiting = successors();
        return waiting == null ? holds.homes.of(key) : waiting.commitHandoffs();
    }

    /** {@return completes when a handoff from this owner that may still be refused has its outcome; null if there is none} */
    public @Nullable CompletableFuture<@Nullable Void> unansweredHandoff(long ownerId) {
        Successors waiting = successors();
        return waiting == null ? null : waiting.unansweredHandoff(ownerId);
    }

    /** {@return whether this client listens to the line of clients for the lock} */
    public boolean knowsOfLine() {
        Successors waiting = successors();
        return waiting != null && waiting.knowsOfLine();
    }

    /** A release of this client was answered, which did not leave the lock free for anyone. */
    void released(Publication message) {
        Successors waiting = successors();
        if (waiting != null) {
            waiting.released(message);
        }
    }

    /**
     * This tenure of an owner is about to be released as an orphan, and with it every older one.
     *
     * @return whether one of these was to be granted the lock: {@link #wake} is owed once the release was answered
     */
    boolean releasing(long ownerId, long orphaned) {
        Successors waiting = successors();
        return waiting != null && waiting.releasing(ownerId, orphaned);
    }

    /** An owner of this client no longer holds the lock, and has not released it. */
    void gone(Hold holder) {
        Successors waiting = successors();
        if (waiting != null) {
            waiting.gone(holder);
        }
    }

    /**
     * An owner of this client has lost its hold, whether or not it was known as the holder: the lock may be free. The
     * waiters that are woken may have joined a queue that is newer than the one that knew the holder.
     */
    void lost(Hold hold) {
        gone(hold);
        wake();
    }

    /** The lock may be free, for either side, and no message announces it. */
    void wake() {
        Successors waiting = successors();
        if (waiting != null) {
            waiting.wake();
        }
        Successors others = otherSuccessors();
        if (others != null) {
            others.wake();
        }
    }

    /** {@return the lock's successors, which are these if it had none; null if this is retired} */
    public synchronized @Nullable Successors successorsOr(Successors fresh) {
        if (successors == null && !retired) {
            successors = fresh;
        }
        return successors;
    }

    /** Nobody waits any more. Does nothing if these are not the lock's successors. */
    public void remove(Successors gone) {
        boolean last;
        synchronized (this) {
            if (successors == gone) {
                successors = null;
            }
            last = retireUnlessUsed();
        }
        if (last) {
            holds.locks.forget(this);
        }
    }

    // --- The end.

    private boolean retireUnlessUsed() {
        retired |= only == null && others == null && successors == null;
        return retired;
    }
}
