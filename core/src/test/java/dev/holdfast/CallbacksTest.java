package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Where the code of users runs. */
final class CallbacksTest {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Callbacks callbacks = new Callbacks(tasks::add);
    private final Callbacks refused = new Callbacks(task -> {
        throw new RejectedExecutionException("full on purpose");
    });

    /** A future for users ends like the inner one, but only when the executor gets to it. */
    @Test
    void forUsers_endsOnTheExecutor() {
        CompletableFuture<String> inner = new CompletableFuture<>();
        CompletableFuture<String> outer = callbacks.forUsers(inner);
        inner.complete("done");
        assertThat(outer).isNotDone();
        tasks.remove().run();
        assertThat(outer).isCompletedWithValue("done");
    }

    /** A failure arrives as it was, not wrapped. */
    @Test
    void forUsers_fails() {
        IllegalStateException why = new IllegalStateException("thrown on purpose");
        CompletableFuture<String> outer = callbacks.forUsers(CompletableFuture.failedFuture(why));
        tasks.remove().run();
        assertThat(outer).failsWithin(0, TimeUnit.SECONDS).withThrowableThat().withCause(why);
    }

    /** An executor that refuses everything cannot keep a result from whoever waits for it. */
    @Test
    void rejected_endsElsewhere() {
        CompletableFuture<String> value = new CompletableFuture<>();
        refused.complete(value, "done");
        assertThat(Patience.get(value)).isEqualTo("done");
        assertThat(Patience.get(refused.<String>forUsers(CompletableFuture.completedFuture("done"))))
                .isEqualTo("done");
    }

    /** Who hands over a task is told that it was refused, and not on his own thread. */
    @Test
    void rejected_isTold() {
        CompletableFuture<Thread> told = new CompletableFuture<>();
        refused.run(() -> {}, why -> told.complete(Thread.currentThread()));
        assertThat(Patience.get(told)).isNotEqualTo(Thread.currentThread());
    }
}
