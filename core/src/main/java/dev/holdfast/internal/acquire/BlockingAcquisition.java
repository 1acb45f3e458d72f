package dev.holdfast.internal.acquire;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.jfr.FlightEvents;
import dev.holdfast.internal.session.LockExceptions;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition that a thread parks on. It is unparked directly by the thread that decides the outcome. A fork-join
 * pool may run a spare thread while one of its threads is parked here: the outcome may depend on a thread of that pool.
 *
 * <p>The thread continues when it is notified, and not already when the state says that the acquisition has ended: the
 * notification after a grant follows when the attempt has left its lane, so that the release that the thread may submit next runs at once,
 * unless the owner has another command.
 */
public final class BlockingAcquisition extends Acquisition implements ForkJoinPool.ManagedBlocker {
    private final Thread caller;

    /** Whether the acquisition has ended; and, if it was granted, its attempt has left the lane. */
    private volatile boolean settled;

    /** To be asked, once a reader has waited for a command timeout, whether its thread waits for itself; null once that is done. */
    private @Nullable ReadSides unasked = readers;

    public BlockingAcquisition(Acquisitions all, AcquireRequest wanted) {
        super(all, wanted);
        this.caller = Thread.currentThread();
    }

    /** @param caller which will park on it, if it does not begin it */
    public BlockingAcquisition(Acquisitions all, AcquireRequest wanted, Thread caller) {
        super(all, wanted);
        this.caller = caller;
    }

    /**
     * Parks until the acquisition has ended. An interrupt does not end the wait; the interrupt status is set again
     * afterwards.
     *
     * @param onGrant makes what the caller receives. If it fails, or anything before it, the caller has no lock: the
     *     acquisition is declined
     * @return what that has made; null if the lock stayed busy
     */
    public <T> @Nullable T await(Function<Hold, T> onGrant) {
        try {
            FlightEvents.Span wait = recordedWait();
            awaitSettled();
            wait.end(state().name());
            return result(onGrant);
        } catch (Throwable e) {
            decline();
            throw e;
        }
    }

    private FlightEvents.Span recordedWait() {
        return FlightEvents.areWaitsRecorded()
                ? FlightEvents.lockWait(lock().name(), session().owners().clientId())
                : FlightEvents.NONE;
    }

    private void awaitSettled() {
        boolean interrupted = false;
        while (!settled) {
            park();
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Parks until the acquisition has ended or the thread is interrupted, which abandons the acquisition. After an
     * interrupt that arrives when the lock was already granted, the interrupt status stays set.
     *
     * @param onGrant as of {@link #await}
     * @return what that has made; null if the lock stayed busy
     */
    public <T> @Nullable T awaitInterruptibly(Function<Hold, T> onGrant) throws InterruptedException {
        try {
            FlightEvents.Span wait = recordedWait();
            boolean abandoned = isAbandonedBeforeSettled();
            wait.end(state().name());
            if (abandoned) {
                throw new InterruptedException("interrupted while waiting for " + lock().subject());
            }
            return result(onGrant);
        } catch (Throwable e) {
            decline();
            throw e;
        }
    }

    private boolean isAbandonedBeforeSettled() {
        while (!settled) {
            park();
            if (Thread.interrupted()) {
                if (abandon()) {
                    return true;
                }
                Thread.currentThread().interrupt();
                awaitSettled();
            }
        }
        return false;
    }

    /**
     * Parks until the acquisition has ended or the thread is interrupted, or a reader has waited for a command timeout; the interrupt
     * status is left set.
     */
    private void park() {
        try {
            ForkJoinPool.managedBlock(this);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RejectedExecutionException e) {
            // The pool has reached its maximum number of threads.
            block();
        }
        ReadSides asked = unasked;
        if (asked != null && untilTimeoutNanos() <= 0) {
            unasked = null;
            asked.warnIfNested(this, caller);
        }
    }

    @Override
    public boolean block() {
        if (unasked != null) {
            LockSupport.parkNanos(this, untilTimeoutNanos());
        } else {
            LockSupport.park(this);
        }
        return isReleasable() || caller.isInterrupted() || (unasked != null && untilTimeoutNanos() <= 0);
    }

    /** {@return the time until it will have waited for a command timeout} */
    private long untilTimeoutNanos() {
        return startNanos() + session().commandTimeoutNanos() - session().now();
    }

    @Override
    public boolean isReleasable() {
        return settled;
    }

    private <T> @Nullable T result(Function<Hold, T> onGrant) {
        return switch (state()) {
            case GRANTED -> {
                Hold granted = hold();
                if (granted == null) {
                    throw new IllegalStateException("a granted acquisition has a hold");
                }
                yield onGrant.apply(granted);
            }
            case FAILED -> {
                RuntimeException why = failure();
                if (why == null) {
                    throw new IllegalStateException("a failed acquisition knows why");
                }
                throw LockExceptions.seenFromHere(why);
            }
            case REFUSED, PENDING, ABANDONED -> null;
        };
    }

    /** A caller that has ended it itself does not park: a permit would end the next wait of that thread. */
    @Override
    protected void onSettled(State how) {
        settled = true;
        if (caller != Thread.currentThread()) {
            LockSupport.unpark(caller);
        }
    }

    @Override
    long callerId() {
        return caller.getId();
    }

    @Override
    public @Nullable Thread boundThread() {
        return ownership() == Ownership.THREAD ? caller : null;
    }
}
