package dev.holdfast.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On which threads user callbacks run. */
@Tag("pure")
final class CallbacksTest {
    /** Time for the few checks that detect blocked drains, far fewer checks than such a test has callbacks. */
    private static final Duration A_FEW_CHECKS = Deadlines.DEFAULT_TICK.multipliedBy(4);

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final ManualTimer timer = new ManualTimer();
    private final Deadlines deadlines = new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK);
    private final Callbacks callbacks = new Callbacks(tasks::add, deadlines);
    private final Callbacks refused = new Callbacks(
            task -> {
                throw new RejectedExecutionException("full on purpose");
            },
            deadlines);
    private final List<Integer> ran = new CopyOnWriteArrayList<>();

    private static void unexpected(Throwable why) {
        throw new AssertionError("refused", why);
    }

    private void run(Callbacks on, int number) {
        on.run(() -> ran.add(number), CallbacksTest::unexpected);
    }

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

    /** An executor that rejects everything does not keep a result from a caller that waits for it. */
    @Test
    void rejected_endsElsewhere() {
        CompletableFuture<String> value = new CompletableFuture<>();
        refused.completeFirst(value, "done");
        assertThat(Patience.get(value)).isEqualTo("done");
        assertThat(Patience.get(refused.<String>forUsers(CompletableFuture.completedFuture("done"))))
                .isEqualTo("done");
    }

    /**
     * A rejection is reported on a thread of the client: not on the caller's, nor on the common pool, which may have no
     * free thread.
     */
    @Test
    void rejected_callsOnRejected() {
        CompletableFuture<Thread> reportedOn = new CompletableFuture<>();
        refused.run(() -> {}, why -> reportedOn.complete(Thread.currentThread()));
        assertThat(Patience.get(reportedOn))
                .isNotEqualTo(Thread.currentThread())
                .isNotInstanceOf(ForkJoinWorkerThread.class);
    }

    /** A rejection handler that blocks on another one gets its result. */
    @Test
    void rejected_oneBlocksOnAnother() {
        CompletableFuture<Void> behind = new CompletableFuture<>();
        CompletableFuture<Void> first = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1);
        refused.run(() -> {}, why -> {
            begun.countDown();
            behind.join();
            first.complete(null);
        });
        Patience.await().until(() -> begun.getCount() == 0);
        refused.run(() -> {}, why -> behind.complete(null));
        timer.advance(A_FEW_CHECKS);
        Patience.get(first);
    }

    /** Callbacks that become ready before the executor starts, or while it drains, share one task and run in order. */
    @Test
    void run_together() {
        run(callbacks, 1);
        run(callbacks, 2);
        callbacks.run(() -> run(callbacks, 3), CallbacksTest::unexpected);
        assertThat(tasks).hasSize(1);
        tasks.remove().run();
        assertThat(ran).containsExactly(1, 2, 3);
        assertThat(tasks).isEmpty();
        run(callbacks, 4);
        assertThat(tasks).hasSize(1);
    }

    /** A callback that throws, or leaves the interrupt flag set, does not affect the next one. */
    @Test
    void run_throws() {
        callbacks.run(
                () -> {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("thrown on purpose");
                },
                CallbacksTest::unexpected);
        callbacks.run(() -> ran.add(Thread.currentThread().isInterrupted() ? 1 : 0), CallbacksTest::unexpected);
        tasks.remove().run();
        assertThat(ran).containsExactly(0);
    }

    /**
     * A callback that waits for a later one gets its result: another task is submitted when no callback has started for
     * a while.
     */
    @Test
    void stall_isFollowedByAnotherTask() {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Callbacks blocking = new Callbacks(threads, deadlines);
            CompletableFuture<Void> behind = new CompletableFuture<>();
            CompletableFuture<Void> first = new CompletableFuture<>();
            CountDownLatch begun = new CountDownLatch(1);
            blocking.run(
                    () -> {
                        begun.countDown();
                        behind.join();
                        first.complete(null);
                    },
                    CallbacksTest::unexpected);
            Patience.await().until(() -> begun.getCount() == 0);
            blocking.run(() -> behind.complete(null), CallbacksTest::unexpected);
            Patience.await().until(() -> {
                timer.advance(Deadlines.DEFAULT_TICK);
                return first.isDone();
            });
        } finally {
            threads.shutdownNow();
        }
        awaitNoTimeouts();
    }

    /** A task that the executor silently dropped is replaced by another, as long as more than one callback is ready. */
    @Test
    void dropped_isSubmittedAgain() {
        Queue<Runnable> submitted = new ConcurrentLinkedQueue<>();
        Callbacks dropping = new Callbacks(submitted::add, deadlines);
        run(dropping, 1);
        submitted.remove();
        run(dropping, 2);
        Patience.await().until(() -> {
            timer.advance(Deadlines.DEFAULT_TICK);
            return !submitted.isEmpty();
        });
        submitted.remove().run();
        assertThat(ran).containsExactly(1, 2);
        awaitNoTimeouts();
    }

    /** While no callback is ready, no timeout is pending. */
    @Test
    void idle_hasNoTimeout() {
        run(callbacks, 1);
        assertThat(deadlines.pending()).isOne();
        tasks.remove().run();
        awaitNoTimeouts();
        run(new Callbacks(Runnable::run, deadlines), 2);
        assertThat(deadlines.pending()).isZero();
        assertThat(ran).containsExactly(1, 2);
    }

    private void awaitNoTimeouts() {
        timer.advance(Deadlines.DEFAULT_TICK.multipliedBy(200));
        assertThat(deadlines.pending()).isZero();
    }

    /**
     * On an executor that runs tasks directly, a callback submitted by a callback runs after it, without recursion at
     * any number.
     */
    @Test
    void direct_isNoRecursion() {
        Callbacks direct = new Callbacks(Runnable::run, deadlines);
        AtomicInteger left = new AtomicInteger(100_000);
        again(direct, left);
        assertThat(left).hasValue(0);
    }

    private static void again(Callbacks callbacks, AtomicInteger left) {
        callbacks.run(
                () -> {
                    if (left.decrementAndGet() > 0) {
                        again(callbacks, left);
                    }
                },
                CallbacksTest::unexpected);
    }

    /**
     * Submitted by many threads and run by many threads, each callback runs exactly once, with far fewer tasks than
     * callbacks.
     */
    @Test
    void run_byMany() {
        int each = 20_000;
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            AtomicInteger submissions = new AtomicInteger();
            Callbacks busy = new Callbacks(
                    task -> {
                        submissions.incrementAndGet();
                        threads.execute(task);
                    },
                    deadlines);
            AtomicIntegerArray times = new AtomicIntegerArray(4 * each);
            AtomicInteger total = new AtomicInteger();
            List<CompletableFuture<Void>> senders = IntStream.range(0, 4)
                    .mapToObj(sender -> CompletableFuture.runAsync(
                            () -> {
                                for (int i = sender * each; i < (sender + 1) * each; i++) {
                                    int number = i;
                                    busy.run(
                                            () -> {
                                                times.incrementAndGet(number);
                                                total.incrementAndGet();
                                            },
                                            CallbacksTest::unexpected);
                                }
                            },
                            threads))
                    .toList();
            senders.forEach(CompletableFuture::join);
            Patience.await().until(() -> total.get() >= 4 * each);
            assertThat(IntStream.range(0, 4 * each)).allMatch(number -> times.get(number) == 1);
            assertThat(submissions).hasValueLessThan(2 * each);
        } finally {
            threads.shutdownNow();
        }
    }
}
