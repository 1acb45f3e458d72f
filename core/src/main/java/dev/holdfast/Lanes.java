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
    private volatile @Nullable CompletableFuture<Void> empty;

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

    /** Submits a step to the owner's lane, which is made if there is none. */
    void submit(LockKey lock, long ownerId, Function<Lane, ? extends Step> step) {
        Id id = new Id(lock, ownerId);
        Lane lane;
        do {
            lane = lanes.computeIfAbsent(id, absent -> new Lane(engine, lock, ownerId));
        } while (!lane.submit(step.apply(lane)));
    }

    void remove(Lane lane) {
        lanes.remove(new Id(lane.lock(), lane.ownerId()), lane);
        CompletableFuture<Void> waiting = empty;
        if (waiting != null && lanes.isEmpty()) {
            waiting.complete(null);
        }
    }

    /** {@return completes when there is no lane left; for the one who closes, once no new ones come} */
    CompletableFuture<Void> whenEmpty() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        empty = waiting;
        if (lanes.isEmpty()) {
            waiting.complete(null);
        }
        return waiting;
    }

    Collection<Lane> all() {
        return lanes.values();
    }

    int size() {
        return lanes.size();
    }
}
