package dev.holdfast;

import static dev.holdfast.BadDay.elsewhere;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Callbacks run where the lock is handed on, since the callback executor is the caller's own thread. */
class DirectExecutorTest {
    private static final String NAME = "orders:42";
    private static final int MANY = 5_000;

    /** More than may begin within one another on one thread. */
    private static final int DEEP = 50;

    /** Of a dozen calls within one another, and not of hundreds. */
    private static final int FRAMES = 1_000;

    @RegisterExtension
    final BadDay day = new BadDay();

    private final Holdfast client =
            day.client(builder -> builder.callbackExecutor(Runnable::run).commandTimeout(BadDay.LONG.dividedBy(4)));

    /** However many pass the lock on in their callback, each has its turn, and no call is within the one before. */
    @Test
    void release_inCallback_thousandsInARow() {
        Row row = Row.warm(day, client, NAME, MANY);
        AtomicInteger deepest = new AtomicInteger();
        List<CompletableFuture<?>> turns = new ArrayList<>();
        row.waiting()
                .forEach(waiter -> turns.add(waiter.thenCompose(lease -> {
                    deepest.accumulateAndGet(depth(), Math::max);
                    return lease.releaseAsync();
                })));

        row.owner().close();

        turns.forEach(BadDay::get);
        assertThat(deepest).hasValueLessThan(FRAMES);
        assertThat(client.stats().acquired()).isEqualTo(MANY + 3);
    }

    /** A release in a callback may block, as anywhere on a thread that is not the driver's. */
    @Test
    void blockingRelease_inCallback_returns() {
        Row row = Row.warm(day, client, NAME, 3);
        List<CompletableFuture<Void>> turns = row.waiting().stream()
                .map(waiter -> waiter.thenAccept(Lease::close))
                .toList();

        CompletableFuture<Boolean> released = elsewhere(() -> {
            row.owner().close();
            return true;
        });

        assertThat(get(released)).isTrue();
        turns.forEach(BadDay::get);
    }

    /** Blocking code of the application on all threads of the common pool delays nobody. */
    @Test
    void release_inCallback_commonPoolIsBlocked() {
        CountDownLatch blocked = new CountDownLatch(1);
        for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
            ForkJoinPool.commonPool().execute(() -> awaitEnd(blocked));
        }
        try {
            Row row = Row.warm(day, client, NAME, DEEP);
            List<CompletableFuture<?>> turns = new ArrayList<>();
            row.waiting().forEach(waiter -> turns.add(waiter.thenCompose(Lease::releaseAsync)));

            row.owner().close();

            turns.forEach(BadDay::get);
        } finally {
            blocked.countDown();
        }
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static int depth() {
        return Math.toIntExact(StackWalker.getInstance().walk(Stream::count));
    }
}
