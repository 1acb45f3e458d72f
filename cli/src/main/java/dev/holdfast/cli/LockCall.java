package dev.holdfast.cli;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Lease;
import dev.holdfast.Permits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A call for a lock or for permits, which can be given up. */
final class LockCall {
    private final CompletableFuture<?> call;
    private final CompletableFuture<Optional<Lease>> outcome;

    private LockCall(CompletableFuture<?> call, CompletableFuture<Optional<Lease>> outcome) {
        this.call = call;
        this.outcome = outcome;
    }

    /**
     * @param wait how long to wait for the lock; empty for ever
     * @param lease an explicit lease; empty for one that is renewed
     */
    static LockCall start(DistributedLock lock, Optional<Duration> wait, Optional<Duration> lease) {
        if (wait.isPresent()) {
            CompletableFuture<Optional<Lease>> call = lease.isPresent()
                    ? lock.tryAcquireAsync(wait.get(), lease.get())
                    : lock.tryAcquireAsync(wait.get());
            return new LockCall(call, call);
        }
        CompletableFuture<Lease> call = lease.isPresent() ? lock.acquireAsync(lease.get()) : lock.acquireAsync();
        return new LockCall(call, call.thenApply(Optional::of));
    }

    /**
     * @param take how many permits
     * @param wait how long to wait for them; empty for ever
     * @param lease an explicit lease; empty for one that is renewed
     */
    static LockCall start(DistributedSemaphore semaphore, int take, Optional<Duration> wait, Optional<Duration> lease) {
        if (wait.isPresent()) {
            CompletableFuture<Optional<Permits>> call = lease.isPresent()
                    ? semaphore.tryAcquireAsync(take, wait.get(), lease.get())
                    : semaphore.tryAcquireAsync(take, wait.get());
            return new LockCall(call, call.thenApply(granted -> granted.map(Function.identity())));
        }
        CompletableFuture<Permits> call =
                lease.isPresent() ? semaphore.acquireAsync(take, lease.get()) : semaphore.acquireAsync(take);
        return new LockCall(call, call.thenApply(Optional::of));
    }

    /** {@return completes with the lease, or empty if the lock stayed busy} */
    CompletableFuture<Optional<Lease>> outcome() {
        return outcome;
    }

    /**
     * Gives up the call.
     *
     * @return the lease, for the caller to release, if the lock was granted before
     */
    Optional<Lease> giveUp() {
        if (call.cancel(false)) {
            return Optional.empty();
        }
        return outcome.exceptionally(failure -> Optional.empty()).join();
    }
}
