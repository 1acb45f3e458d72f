package dev.holdfast.campaign.worker;

import dev.holdfast.Lease;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Acquires a handle, as a turn specifies, by the methods that every lock with handles has: each without a lease, and with
 * one. The result is empty if the lock is busy.
 */
record HandleAcquirer<L extends Lease>(
        Watched<L> acquire,
        Timed<L> acquireFor,
        Watched<L> acquireInterruptibly,
        Timed<L> acquireInterruptiblyFor,
        Timed<Optional<L>> tryAcquire,
        TwiceTimed<Optional<L>> tryAcquireFor,
        Watched<CompletableFuture<L>> acquireAsync,
        Timed<CompletableFuture<L>> acquireAsyncFor,
        Timed<CompletableFuture<Optional<L>>> tryAcquireAsync,
        TwiceTimed<CompletableFuture<Optional<L>>> tryAcquireAsyncFor) {

    /** A call with neither a limit nor a lease. */
    interface Watched<R> {
        R call() throws InterruptedException;
    }

    /** A call with a limit or a lease. */
    interface Timed<R> {
        R call(Duration limitOrLease) throws InterruptedException;
    }

    /** A call with a limit and a lease. */
    interface TwiceTimed<R> {
        R call(Duration limit, Duration lease) throws InterruptedException;
    }

    /** {@return the handle, acquired by a blocking call} */
    Optional<L> blocking(HoldfastClient client, Turn turn) throws InterruptedException {
        Alarm alarm = client.alarm(turn.patience());
        try {
            return switch (turn.way()) {
                case LOCK -> Optional.of(call(turn, acquire, acquireFor));
                case LOCK_INTERRUPTIBLY -> Optional.of(call(turn, acquireInterruptibly, acquireInterruptiblyFor));
                case TRY, TRY_WAIT -> call(turn, tryAcquire, tryAcquireFor);
            };
        } finally {
            alarm.turnOff();
        }
    }

    /** {@return the handle, acquired by a future} */
    Optional<L> async(Turn turn) throws InterruptedException, ExecutionException {
        return turn.waitsForEver()
                ? Optional.of(Patience.await(call(turn, acquireAsync, acquireAsyncFor), turn.patience()))
                : Patience.await(call(turn, tryAcquireAsync, tryAcquireAsyncFor), turn.patience());
    }

    private static <R> R call(Turn turn, Watched<R> watched, Timed<R> leased) throws InterruptedException {
        return turn.lease().isPresent() ? leased.call(turn.lease().get()) : watched.call();
    }

    private static <R> R call(Turn turn, Timed<R> watched, TwiceTimed<R> leased) throws InterruptedException {
        return turn.lease().isPresent() ? leased.call(turn.limit(), turn.lease().get()) : watched.call(turn.limit());
    }
}
