package dev.holdfast.spring.locked;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import java.time.Duration;
import java.util.Optional;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.Assert;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Calls whose work begins with a subscription and is done when that ends. Each subscription acquires the lock, calls the
 * method, and releases the lock when the publisher has completed, failed or was cancelled. If the lease is lost
 * meanwhile, the publisher is cancelled, and the subscriber gets the loss as an error.
 */
final class ReactiveCalls {
    private final LockedObservation.Source observations;

    ReactiveCalls(LockedObservation.Source observations) {
        this.observations = observations;
    }

    Object invoke(LockedCall call) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance()
                .getAdapter(call.method().method().getReturnType());
        Assert.state(adapter != null, "a reactive type has an adapter");
        Flux<?> result = subscriptions(call, adapter);
        return adapter.fromPublisher(adapter.isMultiValue() ? result : result.singleOrEmpty());
    }

    private Flux<?> subscriptions(LockedCall call, ReactiveAdapter adapter) {
        return Flux.defer(() -> {
            ObservedSubscription observed = new ObservedSubscription(observations.start(call.name()));
            return Flux.usingWhen(
                            acquired(call, observed),
                            lease ->
                                    Flux.from(body(call.copy(), lease, adapter)).takeUntilOther(loss(lease)),
                            ReactiveCalls::releaseLast,
                            ReactiveCalls::releaseAfter,
                            ReactiveCalls::release)
                    .onErrorMap(ReleaseFailure::unwrap)
                    .doOnDiscard(Object.class, ReactiveCalls::discard)
                    .doOnError(observed::failed)
                    .doOnTerminate(observed::terminated)
                    .doOnCancel(observed::cancelled);
        });
    }

    /** {@return the lease, or nothing if the lock stayed busy and the call is to be skipped} */
    private static Mono<Lease> acquired(LockedCall call, ObservedSubscription observed) {
        DistributedLock lock = call.lock();
        Duration wait = call.method().patience().waitFor();
        Duration lease = call.method().patience().lease();
        if (wait == null) {
            return Mono.fromFuture(() -> lease == null ? lock.acquireAsync() : lock.acquireAsync(lease));
        }
        return Mono.fromFuture(() -> lease == null ? lock.tryAcquireAsync(wait) : lock.tryAcquireAsync(wait, lease))
                .handle((found, sink) -> found.ifPresentOrElse(sink::next, () -> {
                    observed.busy();
                    if (!call.method().skips()) {
                        sink.error(BusyResult.exception(call.name()));
                    }
                }));
    }

    private static Publisher<Object> body(LockedCall call, Lease lease, ReactiveAdapter adapter) {
        try {
            return adapter.toPublisher(
                    call.proceedUnder(new LeaseHold(lease, call.method().fenced())));
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }

    /**
     * {@return the loss, at which the work is cancelled and counts as complete} The release then fails with it. Were the
     * loss an error here, the operator would not cancel the work.
     */
    private static Mono<LeaseLoss> loss(Lease lease) {
        return Mono.fromFuture(() -> lease.lost().toCompletableFuture());
    }

    private static Mono<Void> release(Lease lease) {
        return Mono.fromFuture(lease::releaseAsync, true).then();
    }

    private static Mono<Void> releaseLast(Lease lease) {
        return release(lease).onErrorMap(ReleaseFailure::new);
    }

    private static Mono<Void> releaseAfter(Lease lease, Throwable failure) {
        return release(lease).onErrorResume(e -> {
            failure.addSuppressed(e);
            return Mono.empty();
        });
    }

    /** A grant that crosses a cancellation has no subscriber. */
    private static void discard(Object dropped) {
        if (dropped instanceof Lease lease) {
            var unused = lease.releaseAsync();
        } else if (dropped instanceof Optional<?> found) {
            found.ifPresent(ReactiveCalls::discard);
        }
    }

    /** Marks what failed after the work, as the operator wraps it into an exception that says nothing of locks. */
    private static final class ReleaseFailure extends RuntimeException {
        private final Throwable failure;

        ReleaseFailure(Throwable failure) {
            super(null, failure, false, false);
            this.failure = failure;
        }

        static Throwable unwrap(Throwable error) {
            return error.getCause() instanceof ReleaseFailure marked ? marked.failure : error;
        }
    }
}
