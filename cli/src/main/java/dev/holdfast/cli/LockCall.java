package dev.holdfast.cli;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The call for the lock that some settings ask for. */
final class LockCall {
    private LockCall() {}

    /** {@return completes with the lease, or empty if the lock stayed busy} */
    static CompletableFuture<Optional<Lease>> start(Holdfast client, RunSettings settings) {
        DistributedLock lock =
                settings.fenced() ? client.getFencedLock(settings.name()) : client.getLock(settings.name());
        Optional<Duration> wait = settings.longestWait();
        Optional<Duration> lease = settings.lease();
        if (wait.isPresent()) {
            return lease.isPresent() ? lock.tryAcquireAsync(wait.get(), lease.get()) : lock.tryAcquireAsync(wait.get());
        }
        CompletableFuture<Lease> call = lease.isPresent() ? lock.acquireAsync(lease.get()) : lock.acquireAsync();
        CompletableFuture<Optional<Lease>> result = call.thenApply(Optional::of);
        CompletableFuture<Optional<Lease>> unused = result.whenComplete((granted, failure) -> {
            if (result.isCancelled() && !call.cancel(false)) {
                CompletableFuture<Void> unusedRelease = call.thenCompose(Lease::releaseAsync);
            }
        });
        return result;
    }
}
