package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.OwnedLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Adapts the futures of a lock whose owner is the calling thread to the interface of an owner id. */
@SuppressWarnings("NullAway") // before JDK 22, NullAway cannot read annotations on type arguments from class files
record CallingThread(DistributedLock lock) implements OwnedLock {
    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public long ownerId() {
        return Thread.currentThread().getId();
    }

    @Override
    public CompletableFuture<@Nullable Void> lockAsync() {
        return lock.lockAsync();
    }

    @Override
    public CompletableFuture<@Nullable Void> lockAsync(Duration lease) {
        return lock.lockAsync(lease);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync() {
        return lock.tryLockAsync();
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(Duration wait) {
        return lock.tryLockAsync(wait);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(Duration wait, Duration lease) {
        return lock.tryLockAsync(wait, lease);
    }

    @Override
    public CompletableFuture<@Nullable Void> unlockAsync() {
        return lock.unlockAsync();
    }

    /** {@return the token of the thread's hold, 0 if the lock has no tokens} */
    long token() {
        return lock instanceof FencedLock fenced ? fenced.getToken() : 0;
    }

    @Override
    public boolean isHeld() {
        return lock.isHeldByCurrentThread();
    }

    @Override
    public int getHoldCount() {
        return lock.getHoldCount();
    }
}
