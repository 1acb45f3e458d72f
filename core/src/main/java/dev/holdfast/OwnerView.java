package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A lock as one owner sees it. */
final class OwnerView implements OwnedLock {
    private final Engine engine;
    private final LockKey key;
    private final long ownerId;
    private final Ownership ownership;

    OwnerView(Engine engine, LockKey key, long ownerId, Ownership ownership) {
        this.engine = engine;
        this.key = key;
        this.ownerId = ownerId;
        this.ownership = ownership;
    }

    @Override
    public String name() {
        return key.name();
    }

    @Override
    public long ownerId() {
        return ownerId;
    }

    @Override
    public CompletableFuture<@Nullable Void> lockAsync() {
        return lock(engine.watchedLease());
    }

    @Override
    public CompletableFuture<@Nullable Void> lockAsync(Duration lease) {
        return lock(LeaseRequest.explicit(lease));
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync() {
        return tryLock(engine.watchedLease(), Duration.ZERO);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(Duration wait) {
        return tryLock(engine.watchedLease(), Arguments.wait(wait));
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(Duration wait, Duration lease) {
        return tryLock(LeaseRequest.explicit(lease), Arguments.wait(wait));
    }

    @Override
    public CompletableFuture<@Nullable Void> unlockAsync() {
        return engine.callbacks().forUsers(engine.release(key, ownerId));
    }

    @Override
    public boolean isHeld() {
        return engine.lanes().held(key, ownerId) != null;
    }

    @Override
    public int getHoldCount() {
        Hold held = engine.lanes().held(key, ownerId);
        return held == null ? 0 : held.levels();
    }

    private CompletableFuture<@Nullable Void> lock(LeaseRequest lease) {
        Function<Hold, @Nullable Void> nothing = hold -> null;
        FutureAcquisition<@Nullable Void> acquisition =
                new FutureAcquisition<@Nullable Void>(engine, wanted(lease, Wanted.FOR_EVER), nothing, () -> {
                    throw Wanted.neverRefused();
                });
        return acquisition.begin();
    }

    private CompletableFuture<Boolean> tryLock(LeaseRequest lease, Duration wait) {
        return new FutureAcquisition<>(engine, wanted(lease, wait.toNanos()), hold -> true, () -> false).begin();
    }

    private Wanted wanted(LeaseRequest lease, long waitNanos) {
        return new Wanted(key, ownerId, ownership, lease, waitNanos);
    }

    @Override
    public String toString() {
        return "OwnedLock[" + key + ", owner " + ownerId + "]";
    }
}
