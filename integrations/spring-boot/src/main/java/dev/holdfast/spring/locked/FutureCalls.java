package dev.holdfast.spring.locked;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.ReleaseUnconfirmedException;
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
        call.requireOthers();
        long begin = System.nanoTime();
        LockedObservation observation = observations.start(call);
        boolean started = false;
        Outcome outcome = Outcome.FAILED;
        Throwable failure = null;
        LockedObservation.Scope scope = observation.open();
        try {
            Lease lease = acquire(call, begin).orElse(null);
            if (lease == null) {
                outcome = Outcome.BUSY;
                return BusyResult.of(call, begin);
            }
            CompletionStage<?> result = held(call, lease, observation);
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

    private static Optional<? extends Lease> acquire(LockedCall call, long begin) {
        try {
            return call.method().timing().acquireHandle(call.leases());
        } catch (InterruptedException e) {
            throw BusyResult.interrupted(call, begin, e);
        }
    }

    private static CompletionStage<@Nullable Object> held(LockedCall call, Lease lease, LockedObservation observation)
            throws Throwable {
        try {
            LeaseHold hold = LeaseHold.of(call, lease);
            CompletionStage<?> work = (CompletionStage<?>) call.proceedUnder(hold);
            CompletionStage<?> done = work == null ? CompletableFuture.completedFuture(null) : work;
            CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
            done.whenComplete((value, failure) -> release(hold, result, value, failure, observation));
            return result;
        } catch (Throwable e) {
            Failures.releaseAfter(e, lease::close);
            throw e;
        }
    }

    /** The stage of the work swallows what is thrown here, so that completes the result. */
    private static void release(
            LeaseHold hold,
            CompletableFuture<@Nullable Object> result,
            @Nullable Object value,
            @Nullable Throwable failure,
            LockedObservation observation) {
        try {
            CompletionStage<?> release = hold.releaseAsync();
            release.whenComplete((released, ofRelease) -> complete(result, value, failure, ofRelease, observation));
        } catch (Throwable e) {
            complete(result, value, failure, e, observation);
        }
    }

    private static void complete(
            CompletableFuture<@Nullable Object> result,
            @Nullable Object value,
            @Nullable Throwable failure,
            @Nullable Throwable ofRelease,
            LockedObservation observation) {
        Throwable later = ofRelease instanceof ReleaseUnconfirmedException ? null : ofRelease;
        if (failure != null) {
            Failures.suppress(failure, later);
        }
        Throwable error = failure == null ? later : failure;
        Throwable cause = cause(error);
        observation.stop(outcome(cause), cause);
        if (error == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(error);
        }
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
