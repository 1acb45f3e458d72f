package dev.holdfast.internal.hold;

import dev.holdfast.internal.kind.LockKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a client uses, or has a queue for, and their lanes: one lane for each lock and owner that has a hold,
 * waits for one or has a command in progress, and no others. If {@linkplain LockKey#equals one lock} has several kinds, an owner
 * still has one lane for it, which is of one kind: while it exists, an acquisition of another kind is refused. Creating the lane
 * and finding out its kind is one atomic step, so acquisitions of two kinds cannot both proceed.
 */
public final class LocalLocks {
    private final ConcurrentMap<LockKey, LocalLock> locks = new ConcurrentHashMap<>();
    private final Holds holds;
    private final Function<LockKey, LocalLock> creator;
    private volatile @Nullable CompletableFuture<Void> nothingHeld;

    LocalLocks(Holds holds) {
        this.holds = holds;
        this.creator = key -> new LocalLock(holds, key);
    }

    /** {@return the owner's present lane of this kind of lock; null if there is none} */
    @Nullable
    public OwnerLane lane(LockKey key, long ownerId) {
        LocalLock lock = locks.get(key);
        OwnerLane lane = lock == null ? null : lock.lane(ownerId);
        return lane != null && lane.lock().kind() == key.kind() ? lane : null;
    }

    /** {@return the hold that this owner has now, as far as is known here; null if there is none} */
    @Nullable
    public Hold held(LockKey key, long ownerId) {
        OwnerLane lane = lane(key, ownerId);
        return lane == null ? null : lane.held();
    }

    /**
     * {@return whether this owner has the lock, or may have it} Unlike {@link #held}, of whichever kind, and also while the
     * hold is in doubt because the machine seems to have been suspended; but not if all its levels were granted to calls that had
     * given up, and are about to be released.
     */
    public boolean mayBeHeld(LockKey key, long ownerId) {
        LocalLock lock = locks.get(key);
        OwnerLane lane = lock == null ? null : lock.lane(ownerId);
        Hold latest = lane == null ? null : lane.reentrable();
        return latest != null && latest.isAccepted() && latest.isWanted();
    }

    /** Submits a command to the owner's lane, of whichever kind, creating the lane if there is none. */
    public void submit(LockKey key, long ownerId, Function<OwnerLane, ? extends LaneCommand> command) {
        while (true) {
            OwnerLane lane = laneOrNew(key, ownerId);
            if (lane.submit(command.apply(lane))) {
                return;
            }
            remove(lane);
        }
    }

    private OwnerLane laneOrNew(LockKey key, long ownerId) {
        while (true) {
            LocalLock lock = locks.computeIfAbsent(key, creator);
            OwnerLane lane = lock.laneOrNew(key, ownerId);
            if (lane != null) {
                return lane;
            }
            forget(lock);
        }
    }

    /**
     * Pins the owner's lane, creating it if there is none; {@link OwnerLane#unpin} is owed.
     *
     * @throws IllegalStateException if the owner's lane is of another kind of lock, and still in use
     */
    public OwnerLane pin(LockKey key, long ownerId) {
        while (true) {
            OwnerLane lane = laneOrNew(key, ownerId);
            boolean sameKind = lane.lock().kind() == key.kind();
            if (sameKind && lane.pin()) {
                return lane;
            }
            if (!sameKind && !lane.retireUnlessUsed()) {
                throw holds.session().exceptions().otherKind(lane.lock(), ownerId, key);
            }
            remove(lane);
        }
    }

    private void remove(OwnerLane retired) {
        if (retired.local().removeLane(retired)) {
            forget(retired.local());
        }
    }

    /** {@return the waiters for the lock; null if there are none} */
    @Nullable
    public Successors successors(LockKey key) {
        LocalLock lock = locks.get(key);
        return lock == null ? null : lock.ownSuccessors();
    }

    /** Sends Redis the handoffs of this lock that were not committed so far: a command about the lock follows. */
    public void commitHandoffs(LockKey key) {
        Successors waiting = successors(key);
        if (waiting != null) {
            waiting.commitHandoffs();
        }
    }

    /** A lock is not used any more. */
    void forget(LocalLock retired) {
        locks.remove(retired.key(), retired);
    }

    /** A lane has nothing to do for now, or for good. */
    void rested(OwnerLane lane, boolean retired) {
        if (retired) {
            remove(lane);
        }
        noteEnd();
    }

    /** A hold has ended; it may have been the last one that the close of the client waits for. */
    void noteEnd() {
        CompletableFuture<Void> waiting = nothingHeld;
        if (waiting != null && allLanes().allMatch(OwnerLane::isIdle)) {
            waiting.complete(null);
        }
    }

    /**
     * {@return completes when nothing is held or in progress; for the close of the client, once it accepts nothing new}
     */
    public CompletableFuture<Void> whenNothingIsHeld() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        nothingHeld = waiting;
        noteEnd();
        return waiting;
    }

    /** {@return the lanes of all locks} */
    public List<OwnerLane> lanes() {
        return allLanes().toList();
    }

    private Stream<OwnerLane> allLanes() {
        return locks.values().stream().flatMap(lock -> lock.lanes().stream());
    }

    /** {@return whether an owner of this client holds the lock, waits for it or is about to try} */
    public boolean isInUse(LockKey key) {
        return locks.containsKey(key);
    }

    /** {@return the number of locks} */
    public int size() {
        return locks.size();
    }
}
