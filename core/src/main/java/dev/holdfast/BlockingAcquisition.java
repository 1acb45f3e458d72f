package dev.holdfast;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition that a thread parks on. It is unparked straight from the thread that learnt the outcome. A thread of a
 * fork-join pool is replaced while it is parked: what it waits for may need a thread of that pool.
 */
final class BlockingAcquisition extends Acquisition implements ForkJoinPool.ManagedBlocker {
    private final Thread caller = Thread.currentThread();

    BlockingAcquisition(Engine engine, AcquireRequest wanted) {
        super(engine, wanted);
    }

    /**
     * Parks until the acquisition is settled. An interrupt does not end it; the flag is set again.
     *
     * @return the hold, or null when the lock stayed busy
     */
    @Nullable
    Hold await() {
        boolean interrupted = false;
        while (isPending()) {
            park();
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result();
    }

    /**
     * Parks until the acquisition is settled or the thread is interrupted, which gives it up. An interrupt that comes when
     * the lock was already granted is kept for later.
     *
     * @return the hold, or null when the lock stayed busy
     */
    @Nullable
    Hold awaitInterruptibly() throws InterruptedException {
        while (isPending()) {
            park();
            if (Thread.interrupted()) {
                if (abandon()) {
                    throw new InterruptedException("interrupted while waiting for lock '" + lock() + "'");
                }
                Thread.currentThread().interrupt();
                break;
            }
        }
        return result();
    }

    /** Parks until the acquisition is settled or the thread is interrupted, whose flag is left set. */
    private void park() {
        try {
            ForkJoinPool.managedBlock(this);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RejectedExecutionException e) {
            // The pool has as many threads as it may have.
            block();
        }
    }

    @Override
    public boolean block() {
        LockSupport.park(this);
        return isReleasable() || caller.isInterrupted();
    }

    @Override
    public boolean isReleasable() {
        return !isPending();
    }

    private @Nullable Hold result() {
        return switch (state()) {
            case GRANTED -> hold();
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

    @Override
    void onSettled(State how) {
        LockSupport.unpark(caller);
    }

    @Override
    @Nullable
    Thread boundThread() {
        return ownership() == Ownership.THREAD ? caller : null;
    }

    @Override
    boolean isHandedOverLater() {
        return false;
    }
}
