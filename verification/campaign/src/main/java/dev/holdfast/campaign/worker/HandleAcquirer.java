package dev.holdfast.campaign.worker;

import dev.holdfast.Lease;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Acquires a handle, as a turn specifies. The result is empty if the lock is busy. */
final class HandleAcquirer {
    private HandleAcquirer() {}

    /** A call that waits without a limit, with an explicit lease if there is one. */
    interface Unlimited<R> {
        R with(Optional<Duration> lease) throws InterruptedException;
    }

    /** A call that waits for this time at most, with an explicit lease if there is one. */
    interface Limited<R> {
        R with(Duration wait, Optional<Duration> lease) throws InterruptedException;
    }

    /** {@return the handle, acquired by a blocking call} */
    static <L extends Lease> Optional<L> blocking(
            HoldfastClient client, Turn turn, Unlimited<L> acquire, Limited<Optional<L>> tryAcquire)
            throws InterruptedException {
        Alarm alarm = client.alarm(turn.patience());
        try {
            return turn.waitsForEver()
                    ? Optional.of(acquire.with(turn.lease()))
                    : tryAcquire.with(turn.limit(), turn.lease());
        } finally {
            alarm.turnOff();
        }
    }

    /** {@return the handle, acquired by a future} */
    static <L extends Lease> Optional<L> async(
            Turn turn, Unlimited<CompletableFuture<L>> acquire, Limited<CompletableFuture<Optional<L>>> tryAcquire)
            throws InterruptedException, ExecutionException {
        return turn.waitsForEver()
                ? Optional.of(Patience.await(acquire.with(turn.lease()), turn.patience()))
                : Patience.await(tryAcquire.with(turn.limit(), turn.lease()), turn.patience());
    }
}
