package dev.holdfast.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A callback that blocks occupies a thread of the executor, and delays nothing while the executor has another one. */
@Tag("pure")
final class BlockedCallbacksTest {
    private static final int MANY = 100;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Callbacks callbacks = new Callbacks(threads);
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();

    @AfterEach
    void unblock() {
        over.countDown();
        callbacks.close();
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

    private void awaitBegun(int count) {
        Patience.await().until(() -> begun.get() == count);
    }

    /** Each of a hundred blocking callbacks that are ready at once begins. */
    @Test
    void blocked_allBegin() {
        for (int i = 0; i < MANY; i++) {
            callbacks.run(this::block);
        }
        awaitBegun(MANY);
        assertThat(over.getCount()).isOne();
    }

    /** A loss reaches its listener beside callbacks that block. */
    @Test
    void loss_besideBlocked() {
        for (int i = 0; i < MANY; i++) {
            callbacks.run(this::block);
        }
        CompletableFuture<String> loss = new CompletableFuture<>();
        callbacks.run(() -> loss.complete("lost"));
        assertThat(Patience.get(loss)).isEqualTo("lost");
        assertThat(over.getCount()).isOne();
    }

    /** A callback that blocks on a later one gets its result after the close too. */
    @Test
    void close_oneBlocksOnAnother() {
        callbacks.run(this::block);
        awaitBegun(1);
        CompletableFuture<Boolean> before = new CompletableFuture<>();
        CompletableFuture<Boolean> after = new CompletableFuture<>();
        callbacks.run(() -> before.complete(true));
        callbacks.close();
        callbacks.run(() -> after.complete(true));
        Patience.get(before);
        Patience.get(after);
        assertThat(over.getCount()).isOne();
    }

    /** If the executor was shut down, callbacks run all the same, before the close and after it. */
    @Test
    void close_afterTheExecutor() {
        threads.shutdown();
        CompletableFuture<Boolean> before = new CompletableFuture<>();
        CompletableFuture<Boolean> after = new CompletableFuture<>();
        CompletableFuture<Boolean> waiting = new CompletableFuture<>();
        callbacks.run(() -> before.complete(true));
        callbacks.close();
        for (int i = 0; i < MANY; i++) {
            callbacks.run(this::block);
        }
        callbacks.run(() -> waiting.complete(after.join()));
        callbacks.run(() -> after.complete(true));
        Patience.get(before);
        Patience.get(waiting);
        assertThat(over.getCount()).isOne();
    }
}
