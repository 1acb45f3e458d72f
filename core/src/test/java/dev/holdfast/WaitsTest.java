package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How a caller is blocked until a future ends. */
final class WaitsTest {
    @AutoClose
    private final Worker caller = new Worker();

    private final CompletableFuture<String> future = new CompletableFuture<>();

    /** An interrupt does not end the wait and is not lost. */
    @Test
    void forResult_interrupted() {
        CompletableFuture<String> waiting = caller.begins(() -> {
            Thread.currentThread().interrupt();
            String result = Waits.forResult(future);
            return result + ", interrupted: " + Thread.interrupted();
        });
        awaitParked();
        future.complete("done");
        assertThat(Patience.get(waiting)).isEqualTo("done, interrupted: true");
    }

    /** What the future fails with is thrown, with the stack of who waited for it. */
    @Test
    void forResult_fails() {
        CompletableFuture<?> failed = CompletableFuture.failedFuture(new LockException("failed", null));
        assertThatThrownBy(() -> Waits.forResult(failed))
                .isInstanceOf(LockException.class)
                .hasMessage("failed")
                .satisfies(e -> assertThat(e.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(WaitsTest.class.getName())));
    }

    /** A wait of bounded length ends when that is over, when the future ends and when it fails. */
    @Test
    void atMost_endsEitherWay() {
        Waits.atMost(future, Duration.ofMillis(20));
        CompletableFuture<?> waiting = caller.begins(() -> Waits.atMost(future, Duration.ofMinutes(1)));
        awaitParked();
        future.completeExceptionally(new IllegalStateException("over"));
        Patience.get(waiting);
        Waits.atMost(CompletableFuture.completedFuture("done"), Duration.ZERO);
    }

    /** An interrupt does not shorten a bounded wait, and is kept. */
    @Test
    void atMost_interrupted() {
        boolean interrupted = caller.does(() -> {
            Thread.currentThread().interrupt();
            Waits.atMost(future, Duration.ofMillis(20));
            return Thread.interrupted();
        });
        assertThat(interrupted).isTrue();
    }

    private void awaitParked() {
        Patience.await().until(() -> switch (caller.thread().getState()) {
            case WAITING, TIMED_WAITING -> true;
            case NEW, RUNNABLE, BLOCKED, TERMINATED -> false;
        });
    }
}
