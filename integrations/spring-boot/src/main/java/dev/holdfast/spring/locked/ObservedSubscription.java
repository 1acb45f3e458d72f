package dev.holdfast.spring.locked;

import dev.holdfast.spring.locked.LockedObservation.Outcome;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The observation of one subscription. Its signals come one after the other, except that a cancellation may cross the
 * last one: the first of the two counts.
 */
final class ObservedSubscription {
    private final LockedObservation observation;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private volatile Outcome outcome = Outcome.COMPLETED;
    private volatile @Nullable Throwable error;

    ObservedSubscription(LockedObservation observation) {
        this.observation = observation;
    }

    void busy() {
        outcome = Outcome.BUSY;
    }

    void failed(Throwable failure) {
        error = failure;
        if (outcome != Outcome.BUSY) {
            outcome = FutureCalls.outcome(failure);
        }
    }

    /** To be called before the subscriber gets the last signal, at which the observation has stopped. */
    void terminated() {
        stop(outcome);
    }

    void cancelled() {
        stop(Outcome.FAILED);
    }

    private void stop(Outcome how) {
        if (stopped.compareAndSet(false, true)) {
            observation.stop(how, error);
        }
    }
}
