package dev.holdfast.spring.locked;

import dev.holdfast.spring.locked.LockedObservation.Outcome;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.SignalType;

/** The observation of one subscription. Its signals come one after the other. */
final class ObservedSubscription {
    private final LockedObservation observation;
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

    void end(SignalType how) {
        observation.stop(how == SignalType.CANCEL ? Outcome.FAILED : outcome, error);
    }
}
