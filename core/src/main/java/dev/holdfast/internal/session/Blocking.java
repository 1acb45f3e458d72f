package dev.holdfast.internal.session;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Blocks a caller until a future completes. An interrupt does not end the wait, except that of
 * {@link #untilInterrupted}; the interrupt status is set again afterwards.
 */
public final class Blocking {
    private Blocking() {}

    /** {@return the value that the future completes with} Its failure is thrown with the caller's own stack trace. */
    public static <T extends @Nullable Object> T forResult(CompletableFuture<T> future) {
        awaitEnd(future, Long.MAX_VALUE);
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
    @SuppressWarnings("FutureReturnValueIgnored") // unparking does not fail
    public static void untilInterrupted(CompletableFuture<?> future) {
        if (!future.isDone()) {
            Thread caller = Thread.currentThread();
            future.whenComplete((value, failure) -> LockSupport.unpark(caller));
            Parking.untilOrInterrupted(future::isDone);
        }
    }

    /** Waits until the future completes, in whatever way, but for no longer than this. */
    public static void atMost(CompletableFuture<?> future, Duration longest) {
        awaitEnd(future, Math.max(0, longest.toNanos()));
    }

    /**
     * Does not use {@link CompletableFuture#get}, which throws if a fork-join pool has reached its maximum number of
     * threads.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // unparking does not fail
    private static void awaitEnd(CompletableFuture<?> future, long longestNanos) {
        if (!future.isDone()) {
            Thread caller = Thread.currentThread();
            future.whenComplete((value, failure) -> LockSupport.unpark(caller));
            Parking.until(future::isDone, longestNanos);
        }
    }
}
