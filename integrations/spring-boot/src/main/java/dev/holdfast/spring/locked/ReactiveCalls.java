package dev.holdfast.spring.locked;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import dev.holdfast.ReleaseUnconfirmedException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.Assert;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Calls whose work begins with a subscription and is done when that ends. Each subscription acquires the lock, calls the
 * method, and releases the lock when the publisher has completed, failed or was cancelled. If the lease is lost
 * before that, the publisher is cancelled, and the subscriber gets the loss as an error.
 */
final class ReactiveCalls {
    private final LockedObservation.Source observations;

    ReactiveCalls(LockedObservation.Source observations) {
        this.observations = observations;
    }

    Object invoke(LockedCall call) {
        boolean suspends = call.method().result() == ResultKind.SUSPENDING;
        if (suspends) {
            call.requireOthers();
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance()
                .getAdapter(suspends ? Mono.class : call.method().method().getReturnType());
        Assert.state(adapter != null, "a reactive type has an adapter");
        Flux<?> result = subscriptions(call, adapter);
        return adapter.fromPublisher(adapter.isMultiValue() ? result : result.singleOrEmpty());
    }

    private Flux<?> subscriptions(LockedCall call, ReactiveAdapter adapter) {
        return Flux.defer(() -> {
            long begin = System.nanoTime();
            ObservedSubscription observed = new ObservedSubscription(observations.start(call));
            return Flux.usingWhen(
                            acquired(call, adapter, begin, observed),
                            work -> new SignallingFlux(Flux.from(started(work))
                                    .takeUntilOther(loss(work.hold().lease()))),
                            ReactiveCalls::releaseLast,
                            ReactiveCalls::releaseAfter,
                            ReactiveCalls::release)
                    .onErrorMap(error -> failed(observed, ReleaseFailure.unwrap(error)))
                    .doOnDiscard(Object.class, ReactiveCalls::discard)
                    .doOnComplete(observed::terminated)
                    .doOnCancel(observed::cancelled);
        });
    }

    /** {@return the error; a hook for errors would throw it in place of passing it on if Reactor takes it for fatal} */
    private static Throwable failed(ObservedSubscription observed, Throwable error) {
        observed.failed(error);
        observed.terminated();
        return error;
    }

    /** {@return the work under its hold, or nothing if the lock stayed busy and the call is to be skipped} */
    private static Mono<ReactiveWork> acquired(
            LockedCall call, ReactiveAdapter adapter, long begin, ObservedSubscription observed) {
        Duration wait = call.method().timing().waitFor();
        Duration lease = call.method().timing().lease();
        AtomicReference<@Nullable CompletableFuture<?>> started = new AtomicReference<>();
        Mono<?> attempt = Mono.fromFuture(() -> {
            CompletableFuture<?> future = wait == null
                    ? call.leases().acquireAsync(lease)
                    : call.leases().tryAcquireAsync(wait, lease);
            started.set(future);
            return future;
        });
        return attempt.doOnCancel(() -> discardLate(started)).handle((result, sink) -> {
            if (started.getAndSet(null) == null) {
                return;
            }
            try {
                Lease granted = lease(result);
                if (granted != null) {
                    sink.next(ReactiveWork.of(call, LeaseHold.of(call, granted), adapter));
                    return;
                }
                observed.busy();
                if (!call.method().skips()) {
                    sink.error(BusyResult.exception(call, begin));
                }
            } catch (Throwable e) {
                discard(result);
                sink.error(e);
            }
        });
    }

    private static @Nullable Lease lease(Object result) {
        return result instanceof Optional<?> found ? (Lease) found.orElse(null) : (Lease) result;
    }

    private static Publisher<?> started(ReactiveWork work) {
        try {
            return work.start();
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

    private static Mono<Void> release(ReactiveWork work) {
        return release(work, released -> released);
    }

    private static Mono<Void> releaseLast(ReactiveWork work) {
        return release(work, released -> released.onErrorMap(ReleaseFailure::new));
    }

    private static Mono<Void> releaseAfter(ReactiveWork work, Throwable failure) {
        return release(
                work,
                released -> released.onErrorResume(e -> {
                    Failures.suppress(failure, e);
                    return Mono.empty();
                }));
    }

    /** Releases the lock before anything else, which might fail; that is signalled, as the operator might throw it. */
    private static Mono<Void> release(ReactiveWork work, UnaryOperator<Mono<Void>> outcome) {
        try {
            CompletableFuture<?> released = work.release();
            return outcome.apply(Mono.fromFuture(released, true)
                    .then()
                    .onErrorResume(ReleaseUnconfirmedException.class, unconfirmed -> Mono.empty()));
        } catch (Throwable e) {
            return outcome.apply(Mono.error(e));
        }
    }

    /**
     * Discards a grant that the subscriber does not get any more. {@link Mono#fromFuture} forgets one that came before it was requested,
     * if the subscriber cancels then.
     *
     * @param started the attempt; null once somebody has taken its result
     */
    private static void discardLate(AtomicReference<@Nullable CompletableFuture<?>> started) {
        CompletableFuture<?> attempt = started.get();
        if (attempt != null) {
            var unused = attempt.thenAccept(result -> {
                if (started.getAndSet(null) != null) {
                    discard(result);
                }
            });
        }
    }

    /** A grant that crosses a cancellation has no subscriber. */
    private static void discard(Object dropped) {
        if (dropped instanceof ReactiveWork work) {
            discard(work.hold().lease());
        } else if (dropped instanceof Lease lease) {
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
