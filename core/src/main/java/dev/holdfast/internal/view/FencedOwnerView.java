package dev.holdfast.internal.view;

import dev.holdfast.FencedOwnedLock;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Arguments;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** The view of a fenced lock for one owner. */
final class FencedOwnerView extends OwnerView implements FencedOwnedLock {
    FencedOwnerView(Client client, LockKey key, long ownerId, Ownership ownership) {
        super(client, key, ownerId, ownership);
    }

    @Override
    public CompletableFuture<Long> lockAndGetTokenAsync() {
        return lock(watchedLease(), Hold::token);
    }

    @Override
    public CompletableFuture<Long> lockAndGetTokenAsync(Duration lease) {
        return lock(LeaseRequest.explicit(lease), Hold::token);
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetTokenAsync() {
        return tryLock(watchedLease(), Duration.ZERO);
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetTokenAsync(Duration wait) {
        return tryLock(watchedLease(), Arguments.wait(wait));
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetTokenAsync(Duration wait, Duration lease) {
        return tryLock(LeaseRequest.explicit(lease), Arguments.wait(wait));
    }

    private CompletableFuture<OptionalLong> tryLock(LeaseRequest lease, Duration wait) {
        return tryLock(lease, wait, hold -> OptionalLong.of(hold.token()), OptionalLong::empty);
    }

    @Override
    public long getToken() {
        return latest().token();
    }
}
