package dev.holdfast.internal.view;

import dev.holdfast.FencedLock;
import dev.holdfast.FencedOwnedLock;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.session.ThreadIds;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The view of a fenced lock in one client: also returns the token of each grant. */
final class ClientFencedLock extends ClientLock implements FencedLock {
    ClientFencedLock(ConnectedClient connected, LockKey key) {
        super(connected, key);
    }

    @Override
    public long lockAndGetToken() {
        return await(watchedLease(), Hold::token);
    }

    @Override
    public long lockAndGetToken(Duration lease) {
        return await(LeaseRequest.explicit(lease), Hold::token);
    }

    @Override
    public OptionalLong tryLockAndGetToken() {
        return orEmpty(tryOnce(ClientFencedLock::token));
    }

    @Override
    public OptionalLong tryLockAndGetToken(Duration wait) throws InterruptedException {
        return orEmpty(awaitInterruptibly(watchedLease(), Arguments.wait(wait).toNanos(), ClientFencedLock::token));
    }

    @Override
    public OptionalLong tryLockAndGetToken(Duration wait, Duration lease) throws InterruptedException {
        return orEmpty(awaitInterruptibly(
                LeaseRequest.explicit(lease), Arguments.wait(wait).toNanos(), ClientFencedLock::token));
    }

    private static OptionalLong token(Hold granted) {
        return OptionalLong.of(granted.token());
    }

    private static OptionalLong orEmpty(@Nullable OptionalLong token) {
        return token == null ? OptionalLong.empty() : token;
    }

    @Override
    public long getToken() {
        return byThread().getToken();
    }

    @Override
    public CompletableFuture<Long> lockAndGetTokenAsync() {
        return byThread().lockAndGetTokenAsync();
    }

    @Override
    public CompletableFuture<Long> lockAndGetTokenAsync(Duration lease) {
        return byThread().lockAndGetTokenAsync(lease);
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetTokenAsync() {
        return byThread().tryLockAndGetTokenAsync();
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetTokenAsync(Duration wait) {
        return byThread().tryLockAndGetTokenAsync(wait);
    }

    @Override
    public CompletableFuture<OptionalLong> tryLockAndGetTokenAsync(Duration wait, Duration lease) {
        return byThread().tryLockAndGetTokenAsync(wait, lease);
    }

    @Override
    public FencedOwnedLock ownedBy(long ownerId) {
        return owner(client().session().owners().requireUsers(ownerId), Ownership.OWNER_ID);
    }

    @Override
    FencedOwnerView byThread() {
        return owner(ThreadIds.current(), Ownership.THREAD);
    }

    @Override
    FencedOwnerView owner(long ownerId, Ownership ownership) {
        return new FencedOwnerView(client(), key(), ownerId, ownership);
    }

    @Override
    public String toString() {
        return "FencedLock[" + key() + "]";
    }
}
