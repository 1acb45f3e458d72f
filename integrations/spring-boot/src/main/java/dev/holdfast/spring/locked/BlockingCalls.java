package dev.holdfast.spring.locked;

import dev.holdfast.LeaseLostException;
import dev.holdfast.spring.locked.LockedObservation.Outcome;
import org.jspecify.annotations.Nullable;

/** Calls whose work is done when they return: the lock belongs to the thread. */
final class BlockingCalls {
    private final LockedObservation.Source observations;

    BlockingCalls(LockedObservation.Source observations) {
        this.observations = observations;
    }

    @Nullable
    Object invoke(LockedCall call) throws Throwable {
        LockedObservation observation = observations.start(call.name());
        Outcome outcome = Outcome.FAILED;
        Throwable failure = null;
        LockedObservation.Scope scope = observation.open();
        try {
            HeldLevel hold = enter(call);
            if (hold == null) {
                outcome = Outcome.BUSY;
                return BusyResult.of(call.method(), call.name());
            }
            Object result = OpenTransaction.isOpen() ? joined(call, hold) : released(call, hold);
            outcome = Outcome.COMPLETED;
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
            observation.stop(outcome, failure);
        }
    }

    private static @Nullable HeldLevel enter(LockedCall call) {
        try {
            return HeldLevel.enter(call.lock(), call.method().patience());
        } catch (InterruptedException e) {
            throw BusyResult.interrupted(call.name(), e);
        }
    }

    /** What an open transaction writes is seen by others only after its end, so the lock is held until then. */
    private static @Nullable Object joined(LockedCall call, HeldLevel hold) throws Throwable {
        try {
            OpenTransaction.verifyAndRelease(hold);
        } catch (RuntimeException e) {
            hold.release();
            throw e;
        }
        return call.invocation().proceed();
    }

    private static @Nullable Object released(LockedCall call, HeldLevel hold) throws Throwable {
        Object result;
        try {
            result = call.invocation().proceed();
        } catch (Throwable e) {
            releaseAfter(e, hold);
            throw e;
        }
        hold.release();
        return result;
    }

    /** A loss that the method itself was told is not told twice. */
    private static void releaseAfter(Throwable failure, HeldLevel hold) {
        try {
            hold.release();
        } catch (RuntimeException e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
    }
}
