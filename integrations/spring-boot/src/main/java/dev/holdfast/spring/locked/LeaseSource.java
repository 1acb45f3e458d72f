package dev.holdfast.spring.locked;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Lease;
import dev.holdfast.MultiLock;
import dev.holdfast.Permits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Grants handles, of one lock, of several at once, or of permits; for a lease of null, they are renewed. */
interface LeaseSource {
    Optional<? extends Lease> tryAcquire(Duration wait, @Nullable Duration lease) throws InterruptedException;

    CompletableFuture<? extends Lease> acquireAsync(@Nullable Duration lease);

    CompletableFuture<? extends Optional<? extends Lease>> tryAcquireAsync(Duration wait, @Nullable Duration lease);

    static LeaseSource of(DistributedLock lock) {
        return new LeaseSource() {
            @Override
            public Optional<Lease> tryAcquire(Duration wait, @Nullable Duration lease) throws InterruptedException {
                return lease == null ? lock.tryAcquire(wait) : lock.tryAcquire(wait, lease);
            }

            @Override
            public CompletableFuture<Lease> acquireAsync(@Nullable Duration lease) {
                return lease == null ? lock.acquireAsync() : lock.acquireAsync(lease);
            }

            @Override
            public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait, @Nullable Duration lease) {
                return lease == null ? lock.tryAcquireAsync(wait) : lock.tryAcquireAsync(wait, lease);
            }
        };
    }

    static LeaseSource of(MultiLock locks) {
        return new LeaseSource() {
            @Override
            public Optional<? extends Lease> tryAcquire(Duration wait, @Nullable Duration lease)
                    throws InterruptedException {
                return lease == null ? locks.tryAcquire(wait) : locks.tryAcquire(wait, lease);
            }

            @Override
            public CompletableFuture<? extends Lease> acquireAsync(@Nullable Duration lease) {
                return lease == null ? locks.acquireAsync() : locks.acquireAsync(lease);
            }

            @Override
            public CompletableFuture<? extends Optional<? extends Lease>> tryAcquireAsync(
                    Duration wait, @Nullable Duration lease) {
                return lease == null ? locks.tryAcquireAsync(wait) : locks.tryAcquireAsync(wait, lease);
            }
        };
    }

    static LeaseSource of(DistributedSemaphore semaphore, int permits) {
        return new LeaseSource() {
            @Override
            public Optional<Permits> tryAcquire(Duration wait, @Nullable Duration lease) throws InterruptedException {
                return lease == null ? semaphore.tryAcquire(permits, wait) : semaphore.tryAcquire(permits, wait, lease);
            }

            @Override
            public CompletableFuture<Permits> acquireAsync(@Nullable Duration lease) {
                return lease == null ? semaphore.acquireAsync(permits) : semaphore.acquireAsync(permits, lease);
            }

            @Override
            public CompletableFuture<Optional<Permits>> tryAcquireAsync(Duration wait, @Nullable Duration lease) {
                return lease == null
                        ? semaphore.tryAcquireAsync(permits, wait)
                        : semaphore.tryAcquireAsync(permits, wait, lease);
            }
        };
    }
}
