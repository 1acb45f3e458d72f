package dev.holdfast.internal.session;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Blocks a caller until a future completes. An interrupt does not end the wait, except where
 * that is said; the interrupt status is set again afterwards.
 *
 * <p>A fork-join pool may run a spare thread in the caller's place; if the pool has reached its maximum number of threads,
 * the caller is parked all the same, whereas {@link CompletableFuture#get} throws then.
 */
public final class Blocking {
    private Blocking() {}

    /** {@return the value that the future completes with} Its failure is thrown with the caller's own stack trace. */
    public static <T extends @Nullable Object> T forResult(CompletableFuture<T> future) {
        await(future, Long.MAX_VALUE, false);
        try {
            return future.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            throw LockExceptions.seenFromHere(cause == null ? e : cause);
        } catch (CancellationException e) {
            throw LockExceptions.seenFromHere(e);
        }
    }

    /** Waits until the future completes, in whatever way, or the thread is interrupted: the status is left set then. */
    public static void untilInterrupted(CompletableFuture<?> future) {
        await(future, Long.MAX_VALUE, true);
    }

    /** Waits until the future completes, in whatever way, but for no longer than this. */
    public static void atMost(CompletableFuture<?> future, Duration longest) {
        atMost(future, longest, false);
    }

    /** Waits until the future completes, but for no longer than this, and perhaps not beyond an interrupt: the status is left set. */
    public static void atMost(CompletableFuture<?> future, Duration longest, boolean endsOnInterrupt) {
        await(future, Math.max(0, longest.toNanos()), endsOnInterrupt);
    }

    private static void await(CompletableFuture<?> future, long longestNanos, boolean endsOnInterrupt) {
        if (!future.isDone()) {
            new Wait(future, longestNanos, endsOnInterrupt).park();
        }
    }

    /** One wait of one caller. */
    private static final class Wait implements ForkJoinPool.ManagedBlocker {
        private final CompletableFuture<?> future;
        private final long beganNanos = System.nanoTime();
        private final long longestNanos;
        private final boolean endsOnInterrupt;
        private boolean interrupted;

        Wait(CompletableFuture<?> future, long longestNanos, boolean endsOnInterrupt) {
            this.future = future;
            this.longestNanos = longestNanos;
            this.endsOnInterrupt = endsOnInterrupt;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // unparking does not fail
        void park() {
            Thread caller = Thread.currentThread();
            future.whenComplete((value, failure) -> LockSupport.unpark(caller));
            try {
                ForkJoinPool.managedBlock(this);
            } catch (InterruptedException e) {
                throw new IllegalStateException("to park does not throw for an interrupt", e);
            } catch (RejectedExecutionException e) {
                while (!isReleasable()) {
                    block();
                }
            } finally {
                if (interrupted) {
                    caller.interrupt();
                }
            }
        }

        /** Parks the caller, which the thread that completes the future unparks. */
        @Override
        public boolean block() {
            if (longestNanos == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, leftNanos());
            }
            interrupted |= Thread.interrupted();
            return isReleasable();
        }

        @Override
        public boolean isReleasable() {
            return future.isDone()
                    || (longestNanos != Long.MAX_VALUE && leftNanos() <= 0)
                    || (endsOnInterrupt
                            && (interrupted || Thread.currentThread().isInterrupted()));
        }

        private long leftNanos() {
            return longestNanos - (System.nanoTime() - beganNanos);
        }
    }
}
