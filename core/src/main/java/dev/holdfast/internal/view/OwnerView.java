package dev.holdfast.internal.view;

import dev.holdfast.OwnedLock;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Arguments;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The view of a lock for one owner. */
sealed class OwnerView implements OwnedLock permits FencedOwnerView {
    private final Client client;
    private final LockKey key;
    private final long ownerId;
    private final Ownership ownership;

    OwnerView(Client client, LockKey key, long ownerId, Ownership ownership) {
        this.client = client;
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
        return lock(watchedLease(), hold -> null);
    }

    @Override
    public CompletableFuture<@Nullable Void> lockAsync(Duration lease) {
        return lock(LeaseRequest.explicit(lease), hold -> null);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync() {
        return tryLock(watchedLease(), Duration.ZERO);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(Duration wait) {
        return tryLock(watchedLease(), Arguments.wait(wait));
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(Duration wait, Duration lease) {
        return tryLock(LeaseRequest.explicit(lease), Arguments.wait(wait));
    }

    @Override
    public CompletableFuture<@Nullable Void> unlockAsync() {
        return client.session().callbacks().forUsers(client.holds().release(key, ownerId));
    }

    @Override
    public boolean isHeld() {
        return client.holds().locks().held(key, ownerId) != null;
    }

    @Override
    public int getHoldCount() {
        Hold held = client.holds().locks().held(key, ownerId);
        return held == null ? 0 : held.levels();
    }

    private CompletableFuture<Boolean> tryLock(LeaseRequest lease, Duration wait) {
        return tryLock(lease, wait, hold -> true, () -> false);
    }

    // --- Shared with the fenced view.

    /** {@return the owner's newest hold, which must be held still} */
    final Hold latest() {
        return client.holds().requireHeld(key, ownerId);
    }

    final LeaseRequest watchedLease() {
        return client.holds().watchedLease();
    }

    /** @param onGrant creates the result of the future */
    final <T extends @Nullable Object> CompletableFuture<T> lock(LeaseRequest lease, Function<Hold, T> onGrant) {
        return new FutureAcquisition<T>(client.acquisitions(), wanted(lease, AcquireRequest.FOR_EVER), onGrant, () -> {
                    throw AcquireRequest.neverRefused();
                })
                .begin();
    }

    /**
     * Acquires the lock, waiting for {@code wait} at most.
     *
     * @param onGrant creates the result of the future when the lock is held
     * @param onRefusal creates the result when the lock stayed busy
     */
    final <T> CompletableFuture<T> tryLock(
            LeaseRequest lease, Duration wait, Function<Hold, T> onGrant, Supplier<T> onRefusal) {
        return new FutureAcquisition<T>(client.acquisitions(), wanted(lease, wait.toNanos()), onGrant, onRefusal)
                .begin();
    }

    private AcquireRequest wanted(LeaseRequest lease, long waitNanos) {
        return new AcquireRequest(key, ownerId, ownership, lease, waitNanos);
    }

    @Override
    public String toString() {
        return "OwnedLock[" + key + ", owner " + ownerId + "]";
    }
}
