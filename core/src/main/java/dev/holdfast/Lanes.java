package dev.holdfast;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The lanes of a client: one for each lock and owner that has a hold or something under way, none for the rest. */
final class Lanes {
    private record Id(LockKey lock, long ownerId) {}

    private final ConcurrentMap<Id, Lane> lanes = new ConcurrentHashMap<>();
    private final Engine engine;
    private volatile @Nullable CompletableFuture<Void> nothingHeld;

    Lanes(Engine engine) {
        this.engine = engine;
    }

    @Nullable
    Lane get(LockKey lock, long ownerId) {
        return lanes.get(new Id(lock, ownerId));
    }

    /** {@return the hold this owner has now, as far as can be known here} */
    @Nullable
    Hold held(LockKey lock, long ownerId) {
        Lane lane = get(lock, ownerId);
        return lane == null ? null : lane.held();
    }

    /** {@return whether an acquire of this owner enters a hold again} */
    boolean isReentrable(LockKey lock, long ownerId) {
        Lane lane = get(lock, ownerId);
        return lane != null && lane.reentrable() != null;
    }

    /** Submits a step to the owner's lane, which is made if there is none. */
    void submit(LockKey lock, long ownerId, Function<Lane, ? extends Step> step) {
        Id id = new Id(lock, ownerId);
        while (true) {
            Lane lane = lane(id);
            if (lane.submit(step.apply(lane))) {
                return;
            }
            lanes.remove(id, lane);
        }
    }

    /** An owner mostly has one thing to do at a time, so the lane is mostly new. */
    private Lane lane(Id id) {
        Lane fresh = new Lane(engine, id.lock(), id.ownerId());
        Lane known = lanes.putIfAbsent(id, fresh);
        return known == null ? fresh : known;
    }

    /** {@return a step that its owner's lane now runs, to be started; null if the owner has something under way} */
    @Nullable
    <S extends Step> S claim(LockKey lock, long ownerId, Function<Lane, S> step) {
        Id id = new Id(lock, ownerId);
        while (true) {
            Lane lane = lane(id);
            S claimed = step.apply(lane);
            if (lane.claim(claimed)) {
                return claimed;
            }
            if (!lane.isRetired()) {
                return null;
            }
            lanes.remove(id, lane);
        }
    }

    /** Releases a hold that Redis may have and nobody wants. */
    void settle(Hold unwanted) {
        submit(
                unwanted.lock(),
                unwanted.lane().ownerId(),
                lane -> new Settle(lane, unwanted.tenure(), unwanted.latestEndNanos()));
    }

    /** A lane has nothing to do for now, or for good. */
    void rested(Lane lane) {
        if (lane.isRetired()) {
            lanes.remove(new Id(lane.lock(), lane.ownerId()), lane);
        }
        noteEnd();
    }

    /** A hold has ended; for the one who closes, it may have been the last. */
    void noteEnd() {
        CompletableFuture<Void> waiting = nothingHeld;
        if (waiting != null && lanes.values().stream().allMatch(Lane::isIdle)) {
            waiting.complete(null);
        }
    }

    /** {@return completes when nothing is held or under way; for the one who closes, once nothing new comes} */
    CompletableFuture<Void> whenNothingIsHeld() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        nothingHeld = waiting;
        noteEnd();
        return waiting;
    }

    Collection<Lane> all() {
        return lanes.values();
    }

    int size() {
        return lanes.size();
    }
}
