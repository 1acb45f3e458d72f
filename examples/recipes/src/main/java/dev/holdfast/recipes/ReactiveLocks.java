package dev.holdfast.recipes;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

final class ReactiveLocks {
    private ReactiveLocks() {}

    /** Acquires the lock when subscribed to, and releases it when the work completes, fails, is cancelled or loses it. */
    static <T> Mono<T> withLock(DistributedLock lock, Function<Lease, Mono<T>> work) {
        return Mono.usingWhen(
                leaseOf(lock),
                lease -> work.apply(lease).takeUntilOther(lossOf(lease)),
                ReactiveLocks::release,
                ReactiveLocks::releaseAfter,
                ReactiveLocks::release);
    }

    static <T> Flux<T> withLockForMany(DistributedLock lock, Function<Lease, Flux<T>> work) {
        return Flux.usingWhen(
                leaseOf(lock),
                lease -> work.apply(lease).takeUntilOther(lossOf(lease)),
                ReactiveLocks::release,
                ReactiveLocks::releaseAfter,
                ReactiveLocks::release);
    }

    /** Cancelled while it waits, it acquires nothing. A lease that is there already, or comes nevertheless, is released. */
    private static Mono<Lease> leaseOf(DistributedLock lock) {
        return Mono.defer(() -> {
            CompletableFuture<Lease> attempt = lock.acquireAsync();
            return Mono.fromFuture(attempt).doOnCancel(() -> {
                var unused = attempt.thenCompose(Lease::releaseAsync);
            });
        });
    }

    private static Mono<Void> release(Lease lease) {
        return Mono.fromFuture(lease::releaseAsync);
    }

    /** The caller gets the failure of the work, with that of the release as suppressed. */
    private static Mono<Void> releaseAfter(Lease lease, Throwable failure) {
        return release(lease).onErrorResume(failed -> {
            failure.addSuppressed(failed);
            return Mono.empty();
        });
    }

    private static <T> Mono<T> lossOf(Lease lease) {
        return Mono.create(sink -> lease.lost()
                .thenAccept(loss -> sink.error(
                        new LeaseLostException("lock '" + lease.name() + "' was lost during the work", loss))));
    }
}
