package dev.holdfast.spring.locked;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.spring.locked.LockedObservation.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Calls whose work is done when a future completes: the lock is acquired before the call, and belongs to the future. */
final class FutureCalls {
    private final LockedObservation.Source observations;

    FutureCalls(LockedObservation.Source observations) {
        this.observations = observations;
    }

    @Nullable
    Object invoke(LockedCall call) throws Throwable {
        LockedObservation observation = observations.start(call.name());
        boolean started = false;
        Outcome outcome = Outcome.FAILED;
        Throwable failure = null;
        LockedObservation.Scope scope = observation.open();
        try {
            Optional<Lease> lease = acquire(call);
            if (lease.isEmpty()) {
                outcome = Outcome.BUSY;
                return BusyResult.of(call.method(), call.name());
            }
            CompletionStage<?> result = held(call, lease.get(), observation);
            started = true;
            return result;
        } catch (LeaseLostException e) {
            outcome = Outcome.LOST;
            failure = e;
            throw e;
        } catch (Throwable e) {
            failure = e;
            throw e;
        } finally {
            scope.close();
            if (!started) {
                observation.stop(outcome, failure);
            }
        }
    }

    private static Optional<Lease> acquire(LockedCall call) {
        try {
            return call.method().patience().acquireHandle(call.lock());
        } catch (InterruptedException e) {
            throw BusyResult.interrupted(call.name(), e);
        }
    }

    private static CompletionStage<@Nullable Object> held(LockedCall call, Lease lease, LockedObservation observation)
            throws Throwable {
        CompletionStage<?> work;
        try {
            work = (CompletionStage<?>)
                    call.proceedUnder(new LeaseHold(lease, call.method().fenced()));
        } catch (Throwable e) {
            releaseAfter(e, lease);
            throw e;
        }
        CompletionStage<?> done = work == null ? CompletableFuture.completedFuture(null) : work;
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        done.whenComplete((value, failure) -> {
            CompletionStage<?> release = lease.releaseAsync();
            release.whenComplete((released, ofRelease) -> complete(result, value, failure, ofRelease, observation));
        });
        return result;
    }

    private static void releaseAfter(Throwable failure, Lease lease) {
        try {
            lease.close();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static void complete(
            CompletableFuture<@Nullable Object> result,
            @Nullable Object value,
            @Nullable Throwable failure,
            @Nullable Throwable ofRelease,
            LockedObservation observation) {
        if (failure != null && ofRelease != null) {
            failure.addSuppressed(ofRelease);
        }
        Throwable error = stop(observation, failure == null ? ofRelease : failure);
        if (error == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(error);
        }
    }

    /** {@return the failure of the call: this error, or else that of a handler of observations, as for blocking calls} */
    private static @Nullable Throwable stop(LockedObservation observation, @Nullable Throwable error) {
        Throwable cause = cause(error);
        try {
            observation.stop(outcome(cause), cause);
        } catch (Throwable ofHandler) {
            if (cause == null) {
                return ofHandler;
            }
            if (ofHandler != cause) {
                cause.addSuppressed(ofHandler);
            }
        }
        return error;
    }

    /** {@return what failed first: a stage that depends on another one wraps its failure} */
    private static @Nullable Throwable cause(@Nullable Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    static Outcome outcome(@Nullable Throwable error) {
        if (error == null) {
            return Outcome.COMPLETED;
        }
        return error instanceof LeaseLostException ? Outcome.LOST : Outcome.FAILED;
    }
}
