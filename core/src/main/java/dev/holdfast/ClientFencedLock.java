package dev.holdfast;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A fenced lock as one client sees it: a lock that also tells the token of what was granted. */
final class ClientFencedLock extends ClientLock implements FencedLock {
    ClientFencedLock(Engine engine, Looking looking, LockKey key) {
        super(engine, looking, key);
    }

    @Override
    public long lockAndGetFence() {
        return granted(await(watchedLease())).fence();
    }

    @Override
    public long lockAndGetFence(Duration lease) {
        return granted(await(LeaseRequest.explicit(lease))).fence();
    }

    @Override
    public OptionalLong tryLockAndGetFence() {
        return fence(tryOnce());
    }

    @Override
    public OptionalLong tryLockAndGetFence(Duration wait) throws InterruptedException {
        return fence(awaitInterruptibly(watchedLease(), Arguments.wait(wait).toNanos()));
    }

    @Override
    public OptionalLong tryLockAndGetFence(Duration wait, Duration lease) throws InterruptedException {
        return fence(awaitInterruptibly(
                LeaseRequest.explicit(lease), Arguments.wait(wait).toNanos()));
    }

    private static OptionalLong fence(@Nullable Hold granted) {
        return granted == null ? OptionalLong.empty() : OptionalLong.of(granted.fence());
    }

    @Override
    public long getFence() {
        return byThread().getFence();
    }

    @Override
    public CompletableFuture<Long> lockAndGetFenceAsync() {
        return byThread().lockAndGetFenceAsync();
    }

    @Override
    public CompletableFuture<Long> lockAndGetFenceAsync(Duration lease) {
        return byThread().lockAndGetFenceAsync(lease);
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetFenceAsync() {
        return byThread().tryLockAndGetFenceAsync();
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetFenceAsync(Duration wait) {
        return byThread().tryLockAndGetFenceAsync(wait);
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetFenceAsync(Duration wait, Duration lease) {
        return byThread().tryLockAndGetFenceAsync(wait, lease);
    }

    @Override
    public FencedOwnedLock ownedBy(long ownerId) {
        return owner(ownerId, Ownership.OWNER_ID);
    }

    private FencedOwnerView byThread() {
        return owner(Thread.currentThread().getId(), Ownership.THREAD);
    }

    @Override
    FencedOwnerView owner(long ownerId, Ownership ownership) {
        return new FencedOwnerView(engine(), key(), ownerId, ownership);
    }

    @Override
    public String toString() {
        return "FencedLock[" + key() + "]";
    }
}
