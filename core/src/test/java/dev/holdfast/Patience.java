package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/**
 * How long a test waits for something that must happen: less than the lease of a watched hold, so that its expiry
 * cannot stand in for a wake-up.
 */
public final class Patience {
    public static final Duration LIMIT = Duration.ofSeconds(20);

    private static final Duration POLL = Duration.ofMillis(2);

    private Patience() {}

    public static ConditionFactory await() {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(POLL).atMost(LIMIT);
    }

    /** Waits for the future and {@return its value} An unchecked exception of the future is thrown as it is. */
    public static <T extends @Nullable Object> T get(CompletableFuture<T> future) {
        try {
            return future.get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("nothing happened within " + LIMIT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test itself was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new CompletionException(e.getCause());
        }
    }
}
