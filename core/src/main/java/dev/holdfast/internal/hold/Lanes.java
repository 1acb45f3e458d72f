package dev.holdfast.internal.hold;

import dev.holdfast.internal.kind.LockKey;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a client: one for each lock and owner that has a hold, waits for one or has a command in progress, and no
 * others. Plain and fenced locks of one name are {@linkplain LockKey#equals one lock}, so an owner has one lane for
 * both, which is of one kind: while it exists, an acquisition of another kind is refused. Creating the lane and finding
 * out its kind is one atomic step, so acquisitions of two kinds cannot both proceed.
 */
public final class Lanes {
    private record Id(LockKey lock, long ownerId) {}

    private final ConcurrentMap<Id, OwnerLane> lanes = new ConcurrentHashMap<>();
    private final Holds holds;
    private volatile @Nullable CompletableFuture<Void> nothingHeld;

    Lanes(Holds holds) {
        this.holds = holds;
    }

    /** {@return the owner's present lane of this kind of lock; null if there is none} */
    @Nullable
    public OwnerLane get(LockKey lock, long ownerId) {
        OwnerLane lane = lanes.get(new Id(lock, ownerId));
        return lane != null && lane.lock().kind() == lock.kind() ? lane : null;
    }

    /** {@return the hold that this owner has now, as far as is known here; null if there is none} */
    @Nullable
    public Hold held(LockKey lock, long ownerId) {
        OwnerLane lane = get(lock, ownerId);
        return lane == null ? null : lane.held();
    }

    /** Submits a command to the owner's lane, of whichever kind, creating the lane if there is none. */
    public void submit(LockKey lock, long ownerId, Function<OwnerLane, ? extends LaneCommand> command) {
        Id id = new Id(lock, ownerId);
        while (true) {
            OwnerLane lane = lane(id, lock);
            if (lane.submit(command.apply(lane))) {
                return;
            }
            lanes.remove(id, lane);
        }
    }

    /** An owner mostly has one operation at a time, so the lane is mostly new: it is created before the look-up. */
    private OwnerLane lane(Id id, LockKey lock) {
        OwnerLane fresh = new OwnerLane(holds, lock, id.ownerId());
        OwnerLane known = lanes.putIfAbsent(id, fresh);
        return known == null ? fresh : known;
    }

    /**
     * Pins the owner's lane, creating it if there is none; {@link OwnerLane#unpin} is owed.
     *
     * @throws IllegalStateException if the owner's lane is of another kind of lock, and still in use
     */
    public OwnerLane pin(LockKey lock, long ownerId) {
        Id id = new Id(lock, ownerId);
        while (true) {
            OwnerLane lane = lane(id, lock);
            boolean sameKind = lane.lock().kind() == lock.kind();
            if (sameKind && lane.pin()) {
                return lane;
            }
            if (!sameKind && !lane.retireUnlessUsed()) {
                throw holds.session().exceptions().otherKind(lane.lock(), id.ownerId(), lock);
            }
            lanes.remove(id, lane);
        }
    }

    /** Releases a hold that Redis may have and no caller wants. */
    void releaseOrphan(Hold unwanted) {
        submit(
                unwanted.lock(),
                unwanted.lane().ownerId(),
                lane -> new OrphanRelease(lane, unwanted.tenure(), unwanted.latestEndNanos()));
    }

    /** A lane has nothing to do for now, or for good. */
    void rested(OwnerLane lane) {
        if (lane.isRetired()) {
            lanes.remove(new Id(lane.lock(), lane.ownerId()), lane);
        }
        noteEnd();
    }

    /** A hold has ended; it may have been the last one that the close of the client waits for. */
    void noteEnd() {
        CompletableFuture<Void> waiting = nothingHeld;
        if (waiting != null && lanes.values().stream().allMatch(OwnerLane::isIdle)) {
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

    Collection<OwnerLane> all() {
        return lanes.values();
    }

    public int size() {
        return lanes.size();
    }
}
