package dev.holdfast.campaign.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A callback that blocks for as long as a lock is held. */
final class CallbackDoorTest {
    private final CompletableFuture<Object> answered = new CompletableFuture<>();
    private final CompletableFuture<Object> left = new CompletableFuture<>();

    /**
     * The callback of a completed future runs on the caller, and does not block the thread that would end the blocking.
     */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void block_doneAlready_returns() {
        CompletableFuture<?> callback = CallbackDoor.block(CompletableFuture.completedFuture(true), answered, left);

        assertThat(callback).isDone();
        assertThat(answered).isCompletedWithValue(true);
    }

    /** On the thread that completes the future, the callback blocks after it has passed the reply on. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void block_elsewhere_untilLeft() {
        CompletableFuture<Object> acquisition = new CompletableFuture<>();
        CompletableFuture<?> callback = CallbackDoor.block(acquisition, answered, left);
        CompletableFuture<Boolean> completing = CompletableFuture.supplyAsync(() -> acquisition.complete(true));

        assertThat(answered.join()).isEqualTo(true);
        assertThat(callback).isNotDone();
        left.complete(null);

        callback.join();
        assertThat(completing.join()).isTrue();
    }
}
