package dev.holdfast.campaign.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for a future, and cancels it after a time. */
final class Patience {
    private Patience() {}

    /**
     * {@return the result of the future}
     *
     * @param patience the time after which it is cancelled; empty for never
     * @throws java.util.concurrent.CancellationException if it was cancelled before it was completed
     */
    static <T extends @Nullable Object> T await(CompletableFuture<T> future, Optional<Duration> patience)
            throws InterruptedException, ExecutionException {
        if (patience.isPresent()) {
            try {
                return future.get(patience.get().toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException enough) {
                future.cancel(false);
            }
        }
        return future.get();
    }
}
