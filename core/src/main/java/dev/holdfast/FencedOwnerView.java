package dev.holdfast;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A fenced lock as one owner sees it. */
final class FencedOwnerView extends OwnerView implements FencedOwnedLock {
    FencedOwnerView(Engine engine, LockKey key, long ownerId, Ownership ownership) {
        super(engine, key, ownerId, ownership);
    }

    @Override
    public CompletableFuture<Long> lockAndGetFenceAsync() {
        return lock(watchedLease(), Hold::fence);
    }

    @Override
    public CompletableFuture<Long> lockAndGetFenceAsync(Duration lease) {
        return lock(LeaseRequest.explicit(lease), Hold::fence);
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetFenceAsync() {
        return tryLock(watchedLease(), Duration.ZERO);
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetFenceAsync(Duration wait) {
        return tryLock(watchedLease(), Arguments.wait(wait));
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetFenceAsync(Duration wait, Duration lease) {
        return tryLock(LeaseRequest.explicit(lease), Arguments.wait(wait));
    }

    private CompletableFuture<OptionalLong> tryLock(LeaseRequest lease, Duration wait) {
        return tryLock(lease, wait, hold -> OptionalLong.of(hold.fence()), OptionalLong::empty);
    }

    @Override
    public long getFence() {
        return latest().fence();
    }
}
