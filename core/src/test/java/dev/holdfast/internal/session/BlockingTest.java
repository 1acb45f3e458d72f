package dev.holdfast.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LockException;
import dev.holdfast.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a caller is blocked until a future completes. */
@Tag("pure")
class BlockingTest {
    /** Has one thread, and may not start another to compensate for a blocked one. */
    private final ForkJoinPool full = new ForkJoinPool(
            1, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, false, 0, 1, 1, null, 1, TimeUnit.SECONDS);

    @AfterEach
    void stop() {
        full.shutdownNow();
    }

    /** Waiting works in a pool that has reached its maximum size. */
    @Test
    void forResult_poolIsFull_waits() {
        CompletableFuture<String> future = new CompletableFuture<>();
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> Blocking.forResult(future), full);
        Patience.await().until(() -> future.getNumberOfDependents() > 0 || waiting.isDone());
        future.complete("done");
        assertThat(Patience.get(waiting)).isEqualTo("done");
    }

    /** An interrupt does not end the wait, and the interrupt flag is kept. */
    @Test
    void forResult_interrupted_keepsTheFlag() {
        CompletableFuture<String> future = new CompletableFuture<>();
        CompletableFuture<Boolean> flag = CompletableFuture.supplyAsync(
                () -> {
                    Thread.currentThread().interrupt();
                    Blocking.forResult(future);
                    return Thread.interrupted();
                },
                full);
        Patience.await().until(() -> future.getNumberOfDependents() > 0 || flag.isDone());
        assertThat(flag).isNotDone();
        future.complete("done");
        assertThat(Patience.get(flag)).isTrue();
    }

    /** The exception the future failed with is thrown, unwrapped. */
    @Test
    void forResult_failed_throwsThat() {
        assertThatThrownBy(() -> Blocking.forResult(CompletableFuture.failedFuture(new LockException("why", null))))
                .isInstanceOf(LockException.class)
                .hasMessage("why");
    }

    /** A bounded wait ends even if the future never completes. */
    @Test
    void atMost_neverCompleted_returns() {
        CompletableFuture<String> never = new CompletableFuture<>();
        Blocking.atMost(never, Duration.ofMillis(1));
        assertThat(never).isNotDone();
    }
}
