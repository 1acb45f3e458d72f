package dev.holdfast.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A callback that blocks occupies a thread of the executor, and delays nothing while the executor has another one. */
@Tag("pure")
final class BlockedCallbacksTest {
    private static final int MANY = 100;

    /** Time for the few checks that detect blocked drains, far fewer checks than there are callbacks. */
    private static final Duration A_FEW_CHECKS = Deadlines.DEFAULT_TICK.multipliedBy(4);

    private final ManualTimer timer = new ManualTimer();
    private final Deadlines deadlines = new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    @AfterEach
    void unblock() {
        over.countDown();
        threads.shutdownNow();
    }

    private void block() {
        begun.incrementAndGet();
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void runBlocking(Callbacks callbacks) {
        callbacks.run(this::block, why -> refused.incrementAndGet());
    }

    private void awaitBegun(int count) {
        Patience.await().until(() -> begun.get() == count);
    }

    /**
     * A hundred blocking callbacks that are ready at once are detected once: each begins, and the last needs no check
     * of its own.
     */
    @Test
    void blocked_allBegin() {
        Callbacks callbacks = new Callbacks(threads, deadlines);
        runBlocking(callbacks);
        awaitBegun(1);
        for (int i = 1; i < MANY; i++) {
            runBlocking(callbacks);
        }
        timer.advance(A_FEW_CHECKS);
        awaitBegun(MANY);
    }

    /**
     * A callback that becomes ready when the running drain has been in its callback for a millisecond starts without a
     * check.
     */
    @Test
    void blocked_nextBeginsWithoutACheck() {
        Callbacks callbacks = new Callbacks(threads, deadlines);
        runBlocking(callbacks);
        awaitBegun(1);
        timer.advance(Duration.ofMillis(1));
        runBlocking(callbacks);
        awaitBegun(2);
    }

    /**
     * A loss is published although other callbacks block, even if no time passes in which a check could detect them.
     */
    @Test
    void loss_besideBlocked() {
        Callbacks callbacks = new Callbacks(threads, deadlines);
        runBlocking(callbacks);
        awaitBegun(1);
        for (int i = 1; i < MANY; i++) {
            runBlocking(callbacks);
        }
        CompletableFuture<String> loss = new CompletableFuture<>();
        callbacks.completeFirst(loss, "lost");
        assertThat(Patience.get(loss)).isEqualTo("lost");
        assertThat(over.getCount()).isOne();
    }

    /** A loss is published before callbacks that were ready earlier. */
    @Test
    void loss_goesFirst() {
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        Callbacks callbacks = new Callbacks(tasks::add, deadlines);
        List<String> order = new CopyOnWriteArrayList<>();
        callbacks.run(() -> order.add("grant"), why -> refused.incrementAndGet());
        CompletableFuture<String> loss = new CompletableFuture<>();
        CompletableFuture<Void> published = loss.thenAccept(order::add);
        callbacks.completeFirst(loss, "loss");
        tasks.remove().run();
        assertThat(published).isDone();
        assertThat(order).containsExactly("loss", "grant");
    }

    /** A bounded executor whose thread is blocked gets a single drain however long that takes, and rejects nothing. */
    @Test
    void boundedExecutor_isNotFilled() {
        ThreadPoolExecutor one = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(4));
        try {
            Callbacks callbacks = new Callbacks(one, deadlines);
            runBlocking(callbacks);
            awaitBegun(1);
            runBlocking(callbacks);
            for (int i = 0; i < 100; i++) {
                timer.advance(Duration.ofMillis(100));
                assertThat(one.getQueue()).hasSizeLessThanOrEqualTo(1);
            }
            over.countDown();
            awaitBegun(2);
            assertThat(refused).hasValue(0);
        } finally {
            one.shutdownNow();
        }
    }

    /** A task that the executor rejects while a drain runs is left to that drain. */
    @Test
    void rejected_besideADrain() {
        ThreadPoolExecutor one = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
        try {
            Callbacks callbacks = new Callbacks(one, deadlines);
            runBlocking(callbacks);
            awaitBegun(1);
            one.execute(() -> {});
            runBlocking(callbacks);
            timer.advance(A_FEW_CHECKS);
            over.countDown();
            awaitBegun(2);
            assertThat(refused).hasValue(0);
        } finally {
            one.shutdownNow();
        }
    }

    /** If the executor silently drops the only drain, another one replaces it. */
    @Test
    void dropped_isNoticed() {
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        Callbacks callbacks = new Callbacks(tasks::add, deadlines);
        over.countDown();
        runBlocking(callbacks);
        tasks.remove();
        Patience.await().until(() -> {
            System.gc();
            timer.advance(Duration.ofSeconds(1));
            return !tasks.isEmpty();
        });
        tasks.remove().run();
        assertThat(begun).hasValue(1);
    }

    /** A callback that blocks on a later one gets its result after the close too, when checks no longer run. */
    @Test
    void close_oneBlocksOnAnother() {
        Callbacks callbacks = new Callbacks(threads, deadlines);
        runBlocking(callbacks);
        awaitBegun(1);
        CompletableFuture<Boolean> before = new CompletableFuture<>();
        CompletableFuture<Boolean> after = new CompletableFuture<>();
        complete(callbacks, before);
        callbacks.close();
        deadlines.close();
        complete(callbacks, after);
        Patience.get(before);
        Patience.get(after);
        assertThat(over.getCount()).isOne();
    }

    private static void complete(Callbacks callbacks, CompletableFuture<Boolean> future) {
        callbacks.run(() -> future.complete(true), why -> future.complete(true));
    }

    /** A callback still queued in an executor that was shut down is rejected after the close. */
    @Test
    void close_afterTheExecutor() {
        BlockingQueue<Runnable> neverRun = new LinkedBlockingQueue<>();
        Callbacks callbacks = new Callbacks(neverRun::add, deadlines);
        runBlocking(callbacks);
        callbacks.close();
        deadlines.close();
        Patience.await().until(() -> refused.get() == 1);
        assertThat(begun).hasValue(0);
    }
}
