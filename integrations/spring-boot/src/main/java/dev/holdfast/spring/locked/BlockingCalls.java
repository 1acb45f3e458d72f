package dev.holdfast.spring.locked;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.spring.locked.LockedObservation.Outcome;
import org.jspecify.annotations.Nullable;

/** Calls whose work is done when they return: what they acquire belongs to the thread, or to a lease that the thread has. */
final class BlockingCalls {
    private final LockedObservation.Source observations;

    BlockingCalls(LockedObservation.Source observations) {
        this.observations = observations;
    }

    @Nullable
    Object invoke(LockedCall call) throws Throwable {
        call.requireOthers();
        long begin = System.nanoTime();
        LockedObservation observation = observations.start(call);
        Outcome outcome = Outcome.FAILED;
        Throwable failure = null;
        LockedObservation.Scope scope = observation.open();
        try {
            Hold hold = enter(call, begin);
            if (hold == null) {
                outcome = Outcome.BUSY;
                return BusyResult.of(call, begin);
            }
            Object result = registered(hold) ? call.invocation().proceed() : released(call, hold);
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

    private static @Nullable Hold enter(LockedCall call, long begin) {
        Timing timing = call.method().timing();
        try {
            LockTarget level = call.level();
            return level == null ? enterByLease(call, timing) : HeldLevel.enter(level, timing);
        } catch (InterruptedException e) {
            throw BusyResult.interrupted(call, begin, e);
        }
    }

    private static @Nullable Hold enterByLease(LockedCall call, Timing timing) throws InterruptedException {
        Lease lease = timing.acquireHandle(call.leases()).orElse(null);
        if (lease == null) {
            return null;
        }
        try {
            LeaseHold hold = LeaseHold.of(call, lease);
            Holds.enter(hold);
            return hold;
        } catch (Throwable e) {
            Failures.releaseAfter(e, lease::close);
            throw e;
        }
    }

    /**
     * {@return whether a transaction is open that the hold outlasts, and releases it after its end}
     */
    private static boolean registered(Hold hold) {
        try {
            if (!hold.target().outlastsCommit() || !OpenTransaction.isOpen()) {
                return false;
            }
            OpenTransaction.verifyAndRelease(hold);
            return true;
        } catch (Throwable e) {
            Failures.releaseAfter(e, hold::release);
            throw e;
        }
    }

    private static @Nullable Object released(LockedCall call, Hold hold) throws Throwable {
        Object result;
        try {
            result = call.invocation().proceed();
        } catch (Throwable e) {
            Failures.releaseAfter(e, hold::release);
            throw e;
        }
        hold.release();
        return result;
    }
}
