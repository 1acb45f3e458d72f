package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Blocks a caller until a future ends. An interrupt does not end the wait; the flag is set again. */
final class Blocking {
    private Blocking() {}

    /** {@return what the future completes with} What it fails with is thrown with the caller's own stack. */
    static <T extends @Nullable Object> T forResult(CompletableFuture<T> future) {
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

    /** Waits for the end of the future, however it ends, but not for longer than this. */
    static void atMost(CompletableFuture<?> future, Duration longest) {
        awaitEnd(future, Math.max(0, longest.toNanos()));
    }

    /** Not by {@link CompletableFuture#get}, which throws where a fork-join pool has as many threads as it may have. */
    @SuppressWarnings("FutureReturnValueIgnored") // to unpark does not fail
    private static void awaitEnd(CompletableFuture<?> future, long longestNanos) {
        if (!future.isDone()) {
            Thread caller = Thread.currentThread();
            future.whenComplete((value, failure) -> LockSupport.unpark(caller));
            Parking.until(future::isDone, longestNanos);
        }
    }
}
