package dev.holdfast.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On which threads user callbacks run. */
@Tag("pure")
final class CallbacksTest {
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    @AutoClose
    private final Callbacks callbacks = new Callbacks(tasks::add);

    @AutoClose
    private final Callbacks refused = new Callbacks(task -> {
        throw new RejectedExecutionException("full on purpose");
    });

    private final List<Integer> ran = new CopyOnWriteArrayList<>();

    /** A future for users completes like the inner one, but only when the executor runs the completion. */
    @Test
    void forUsers_endsOnTheExecutor() {
        CompletableFuture<String> inner = new CompletableFuture<>();
        CompletableFuture<String> outer = callbacks.forUsers(inner);
        inner.complete("done");
        assertThat(outer).isNotDone();
        tasks.remove().run();
        assertThat(outer).isCompletedWithValue("done");
    }

    /** A failure is passed on as it is, and not as a dependent stage wraps it. */
    @Test
    void forUsers_fails() {
        IllegalStateException why = new IllegalStateException("thrown on purpose");
        CompletableFuture<String> dependent =
                CompletableFuture.<String>failedFuture(why).thenApply(value -> value);
        CompletableFuture<String> outer = callbacks.forUsers(dependent);
        tasks.remove().run();
        assertThat(outer.handle((value, failure) -> failure)).isCompletedWithValue(why);
    }

    /** Each callback is a task of its own, so the executor may run them side by side. */
    @Test
    void run_eachIsATask() {
        callbacks.run(() -> ran.add(1));
        callbacks.run(() -> ran.add(2));
        assertThat(tasks).hasSize(2);
        tasks.removeLast().run();
        tasks.removeLast().run();
        assertThat(ran).containsExactly(2, 1);
    }

    /** A callback that throws, or leaves the interrupt flag set, does not affect its thread. */
    @Test
    void run_throws() {
        callbacks.run(() -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("thrown on purpose");
        });
        tasks.remove().run();
        assertThat(Thread.interrupted()).isFalse();
    }

    /** What the executor refuses runs on a thread of the client, and not on the one that submits it. */
    @Test
    void refused_runsOnOwnThread() {
        CompletableFuture<String> thread = new CompletableFuture<>();
        refused.run(() -> thread.complete(Thread.currentThread().getName()));
        assertThat(Patience.get(thread)).startsWith("lock-callback-");
        assertThat(Patience.get(refused.<String>forUsers(CompletableFuture.completedFuture("done"))))
                .isEqualTo("done");
    }

    /** An executor that throws although it has run the task does not make the callback run twice. */
    @Test
    void refusedAfterAll_runsOnce() {
        AtomicInteger times = new AtomicInteger();
        CompletableFuture<Void> again = new CompletableFuture<>();
        try (Callbacks late = new Callbacks(task -> {
            task.run();
            throw new RejectedExecutionException("too late on purpose");
        })) {
            late.run(times::incrementAndGet);
            late.run(() -> again.complete(null));
            Patience.get(again);
        }
        assertThat(times).hasValue(1);
    }

    /** A refused callback that waits for another one gets its result. */
    @Test
    void refused_oneWaitsForAnother() {
        CompletableFuture<Void> behind = new CompletableFuture<>();
        CompletableFuture<Void> first = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        refused.run(() -> {
            begun.countDown();
            behind.join();
            first.complete(null);
        });
        Patience.await().until(() -> begun.getCount() == 0);
        refused.run(() -> behind.complete(null));
        Patience.get(first);
    }

    /** Refused callbacks that block occupy a few threads, and delay no internal work. */
    @Test
    void refused_blockFewThreads() {
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        int many = 10 * CallbackThreads.THREADS;
        for (int i = 0; i < many; i++) {
            refused.run(() -> {
                begun.incrementAndGet();
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                ended.incrementAndGet();
            });
        }
        Patience.await().until(() -> begun.get() == CallbackThreads.THREADS);
        CompletableFuture<Void> internal = new CompletableFuture<>();
        refused.internalThreads().execute(() -> internal.complete(null));
        Patience.get(internal);
        assertThat(begun).hasValue(CallbackThreads.THREADS);
        over.countDown();
        Patience.await().until(() -> ended.get() == many);
    }

    /** On an executor that runs tasks directly, callbacks submitted by callbacks do not fill the stack. */
    @Test
    void direct_isNotDeep() {
        try (Callbacks direct = new Callbacks(Runnable::run)) {
            AtomicInteger left = new AtomicInteger(100_000);
            again(direct, left);
            Patience.await().until(() -> left.get() == 0);
        }
    }

    private static void again(Callbacks callbacks, AtomicInteger left) {
        callbacks.run(() -> {
            if (left.decrementAndGet() > 0) {
                again(callbacks, left);
            }
        });
    }
}
