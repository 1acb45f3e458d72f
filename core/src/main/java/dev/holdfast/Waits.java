package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Blocks a caller until a future ends. An interrupt does not end the wait; the flag is set again. */
final class Waits {
    private Waits() {}

    /** {@return what the future completes with} What it fails with is thrown with the caller's own stack. */
    static <T extends @Nullable Object> T forResult(CompletableFuture<T> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    Throwable cause = e.getCause();
                    throw Failures.seenFromHere(cause == null ? e : cause);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for the end of the future, however it ends, but not for longer than this. */
    static void atMost(CompletableFuture<?> future, Duration longest) {
        boolean interrupted = false;
        long endNanos = System.nanoTime() + longest.toNanos();
        try {
            while (true) {
                try {
                    future.handle((value, failure) -> null).get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException | ExecutionException e) {
                    return;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
