package dev.holdfast.app;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Acquires leases and drops them. */
@SuppressWarnings("CheckReturnValue") // the result is dropped on purpose
public final class Forgetful {
    private Forgetful() {}

    public static void acquires(DistributedLock lock) {
        valid(lock.acquire());
    }

    public static void acquiresFor(DistributedLock lock, Duration lease) {
        valid(lock.acquire(lease));
    }

    public static void triesToAcquire(DistributedLock lock) throws InterruptedException {
        valid(lock.tryAcquire(Duration.ZERO).orElseThrow());
    }

    public static void acquiresAsync(DistributedLock lock) throws Exception {
        valid(lock.acquireAsync().get(1, TimeUnit.MINUTES));
    }

    public static void triesToAcquireAsync(DistributedLock lock) throws Exception {
        CompletableFuture<Optional<Lease>> acquired = lock.tryAcquireAsync(Duration.ZERO);
        valid(acquired.get(1, TimeUnit.MINUTES).orElseThrow());
    }

    private static void valid(Lease lease) {
        if (!lease.isValid()) {
            throw new IllegalStateException("the lock was free");
        }
    }
}
