package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.Holdfast;
import dev.holdfast.LatchGoneException;
import dev.holdfast.LatchGoneException.Reason;
import dev.holdfast.LockException;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Count-down latches: what callers of several clients see. */
@Tag("client")
@Tag("driver")
final class CountDownLatchTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Holdfast client = redis.client();
    private final DistributedCountDownLatch latch = client.getCountDownLatch(redis.name());
    private final DistributedCountDownLatch rival = redis.rival().getCountDownLatch(redis.name());

    @AfterEach
    void deleted() {
        rival.delete();
    }

    private static void awaitWaiting(Holdfast client, long waiters) {
        Patience.await().until(() -> client.stats().waiters() == waiters);
    }

    private static void assertGone(CompletableFuture<?> waiting, Reason reason) {
        assertThatThrownBy(() -> Patience.get(waiting))
                .isInstanceOfSatisfying(LatchGoneException.class, gone -> {
                    assertThat(gone.reason()).isEqualTo(reason);
                    assertThat(gone.names()).containsExactly(redis.name());
                })
                .hasMessageContaining(redis.name());
    }

    // --- The count.

    /** A latch without a count is open, and a countdown of it has no effect. */
    @Test
    void neverSet_isOpen() throws Exception {
        assertThat(latch.getCount()).isZero();
        latch.countDown();
        latch.await();
        assertThat(latch.await(MINUTE)).isTrue();
        assertThat(latch.await(Duration.ZERO)).isTrue();
        Patience.get(latch.awaitAsync());
        assertThat(Patience.get(latch.awaitAsync(Duration.ZERO))).isTrue();
        assertThat(latch.delete()).isFalse();
    }

    /** Of several sets the first counts, until the count is zero. */
    @Test
    void trySetCount_once() {
        assertThat(latch.trySetCount(2)).isTrue();
        assertThat(latch.trySetCount(3)).isFalse();
        assertThat(rival.trySetCount(4, MINUTE)).isFalse();
        assertThat(rival.getCount()).isEqualTo(2);
        rival.countDown();
        assertThat(latch.getCount()).isEqualTo(1);
        latch.countDown();
        assertThat(Patience.get(rival.trySetCountAsync(5))).isTrue();
        assertThat(Patience.get(latch.getCountAsync())).isEqualTo(5);
        Patience.get(latch.countDownAsync(7));
        assertThat(latch.getCount()).isZero();
    }

    /** Countdowns that are under way at the same time all count. */
    @Test
    void countDown_many() {
        int each = 200;
        latch.trySetCount(2 * each + 1);
        List<CompletableFuture<?>> downs = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            downs.add(latch.countDownAsync());
            downs.add(rival.countDownAsync());
        }
        downs.forEach(Patience::get);
        assertThat(latch.getCount()).isEqualTo(1);
    }

    /** The commands of a client are executed in the order of the calls. */
    @Test
    void commands_inOrder() {
        latch.trySetCount(1);
        List<CompletableFuture<?>> calls = new ArrayList<>();
        CompletableFuture<Boolean> set = new CompletableFuture<>();
        for (int round = 0; round < 50; round++) {
            calls.add(latch.countDownAsync());
            set = latch.trySetCountAsync(1);
            calls.add(set);
        }
        calls.forEach(Patience::get);
        assertThat(calls.stream().map(CompletableFuture::join).filter(Boolean.FALSE::equals))
                .isEmpty();
        assertThat(Patience.get(set)).isTrue();
    }

    /** Both keys live for 24 h, to which each use renews them; or for the given lifetime. */
    @Test
    void lifetime_isThatOfBothKeys() {
        long day = TimeUnit.DAYS.toMillis(1);
        latch.trySetCount(3);
        assertLives(day);
        for (Runnable use : List.<Runnable>of(latch::countDown, latch::getCount, () -> latch.trySetCount(1))) {
            redis.server().command("PEXPIRE", redis.name(), "5000");
            use.run();
            assertLives(day);
        }
        latch.delete();
        latch.trySetCount(3, MINUTE);
        assertLives(MINUTE.toMillis());
        redis.server().command("PEXPIRE", redis.name(), "50000");
        latch.countDown();
        latch.getCount();
        latch.trySetCount(1);
        assertThat(left(redis.name())).isLessThanOrEqualTo(50_000);
    }

    private static void assertLives(long millis) {
        assertThat(left(redis.name())).isBetween(millis - 30_000, millis);
        assertThat(left("holdfast_latch:{" + redis.name() + "}"))
                .isBetween(millis + 600_000 - 30_000, millis + 600_000);
    }

    private static long left(String key) {
        return (Long) Objects.requireNonNull(redis.server().command("PTTL", key));
    }

    /** What is left of a latch at zero ends by itself. */
    @Test
    void atZero_theRecordEnds() {
        latch.trySetCount(1);
        latch.countDown();
        assertThat(redis.server().command("EXISTS", redis.name())).isEqualTo(0L);
        assertThat(left("holdfast_latch:{" + redis.name() + "}")).isBetween(1L, 600_000L);
    }

    // --- Waiting.

    /** Callers of all kinds and of two clients are woken by the last countdown. */
    @Test
    void await_untilZero() {
        latch.trySetCount(2);
        List<CompletableFuture<?>> waiting = List.of(
                redis.worker().begins(() -> latch.await()),
                redis.worker().begins(() -> assertThat(latch.await(MINUTE)).isTrue()),
                redis.worker().begins(() -> assertThat(latch.await(1, TimeUnit.MINUTES))
                        .isTrue()),
                latch.awaitAsync(),
                latch.awaitAsync(MINUTE).thenAccept(open -> assertThat(open).isTrue()),
                redis.worker().begins(() -> rival.await()));
        awaitWaiting(client, 5);
        awaitWaiting(redis.rival(), 1);

        latch.countDown();
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        rival.countDown();

        waiting.forEach(Patience::get);
    }

    /** The end of a wait: false if the count is known, within the wait. */
    @RealTime
    void await_timesOut() throws Exception {
        latch.trySetCount(1);
        assertThat(latch.await(Duration.ZERO)).isFalse();
        assertThat(latch.await(-1, TimeUnit.SECONDS)).isFalse();
        assertThat(latch.await(Duration.ofMillis(50))).isFalse();
        assertThat(Patience.get(latch.awaitAsync(Duration.ofMillis(50)))).isFalse();
        assertThat(Patience.get(latch.awaitAsync(Duration.ZERO))).isFalse();
        assertThat(latch.getCount()).isEqualTo(1);
    }

    /** A count that is set at once after an opening does not hide that. */
    @Test
    void await_setAgainAtOnce() {
        latch.trySetCount(1);
        for (int round = 0; round < 20; round++) {
            CompletableFuture<?> waiting = rival.awaitAsync();
            awaitWaiting(redis.rival(), 1);
            CompletableFuture<?> down = latch.countDownAsync();
            CompletableFuture<Boolean> set = latch.trySetCountAsync(1);
            assertThat(Patience.get(set)).isTrue();
            Patience.get(down);
            Patience.get(waiting);
        }
    }

    /** A deleted latch fails those that await it, even if it is set at once again. */
    @Test
    void await_deleted() {
        latch.trySetCount(1);
        CompletableFuture<?> blocking = redis.worker().begins(() -> rival.await());
        CompletableFuture<?> async = rival.awaitAsync();
        awaitWaiting(redis.rival(), 2);

        assertThat(latch.delete()).isTrue();

        assertGone(blocking, Reason.DELETED);
        assertGone(async, Reason.DELETED);
        latch.trySetCount(1);
        CompletableFuture<?> again = rival.awaitAsync(MINUTE);
        awaitWaiting(redis.rival(), 1);
        CompletableFuture<?> deleted = latch.deleteAsync();
        Patience.get(latch.trySetCountAsync(1));
        Patience.get(deleted);
        assertGone(again, Reason.DELETED);
    }

    /** A latch that expires fails those that await it: it is looked at then, without a message. */
    @RealTime
    void await_expired() {
        latch.trySetCount(1, Duration.ofSeconds(2));
        CompletableFuture<?> waiting = rival.awaitAsync();
        awaitWaiting(redis.rival(), 1);
        assertGone(waiting, Reason.EXPIRED);
        assertThat(latch.trySetCount(1)).isTrue();
    }

    /** If the data is lost, those that wait notice it by their next look at the latest. */
    @Test
    void await_dataLost() {
        latch.trySetCount(1);
        CompletableFuture<?> waiting = rival.awaitAsync();
        awaitWaiting(redis.rival(), 1);
        redis.server().command("DEL", redis.name(), "holdfast_latch:{" + redis.name() + "}");
        redis.server().command("PUBLISH", "redisson_countdownlatch__channel__{" + redis.name() + "}", "?");
        assertGone(waiting, Reason.DELETED);
    }

    /** Without its record, a count is open at zero, and not before: no generation is no other generation. */
    @Test
    void await_recordLost() {
        latch.trySetCount(2);
        CompletableFuture<?> waiting = rival.awaitAsync();
        awaitWaiting(redis.rival(), 1);
        redis.server().command("DEL", "holdfast_latch:{" + redis.name() + "}");
        redis.server().command("PUBLISH", "redisson_countdownlatch__channel__{" + redis.name() + "}", "0");
        latch.countDown();
        assertThat(waiting).isNotDone();
        latch.countDown();
        Patience.get(waiting);
    }

    /** A message that is none causes a look, and nothing else. */
    @Test
    void await_spuriousMessage() {
        latch.trySetCount(1);
        CompletableFuture<?> waiting = rival.awaitAsync();
        awaitWaiting(redis.rival(), 1);
        for (int i = 0; i < 10; i++) {
            redis.server().command("PUBLISH", "redisson_countdownlatch__channel__{" + redis.name() + "}", "0");
        }
        assertThat(rival.getCount()).isEqualTo(1);
        assertThat(waiting).isNotDone();
        latch.countDown();
        Patience.get(waiting);
    }

    // --- Leaving.

    /** An interrupt ends the wait, and nothing is left of it. */
    @Test
    void await_interrupted() {
        latch.trySetCount(1);
        Worker waiter = redis.worker();
        CompletableFuture<Boolean> interrupted = waiter.begins(() -> {
            try {
                latch.await();
                return false;
            } catch (InterruptedException e) {
                return !Thread.currentThread().isInterrupted();
            }
        });
        awaitWaiting(client, 1);
        waiter.thread().interrupt();
        assertThat(Patience.get(interrupted)).isTrue();
        awaitWaiting(client, 0);
    }

    /** An interrupt before the call ends it, even if the latch is open; the others ignore it. */
    @Test
    void interruptedBefore() {
        redis.worker().does(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> latch.await()).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> assertThat(latch.await(Duration.ZERO)).isFalse())
                    .isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThat(latch.trySetCount(2)).isTrue();
            latch.countDown();
            assertThat(latch.getCount()).isEqualTo(1);
            assertThat(latch.delete()).isTrue();
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    /** A future that its caller cancels, completes or lets time out waits no longer. */
    @Test
    void awaitAsync_left() {
        latch.trySetCount(1);
        CompletableFuture<?> cancelled = latch.awaitAsync();
        CompletableFuture<Boolean> completed = latch.awaitAsync(MINUTE);
        CompletableFuture<?> timedOut = latch.awaitAsync().orTimeout(10, TimeUnit.MILLISECONDS);
        CompletableFuture<?> stays = latch.awaitAsync();
        cancelled.cancel(true);
        completed.complete(false);
        assertThatThrownBy(cancelled::join).isInstanceOf(CancellationException.class);
        assertThatThrownBy(timedOut::join).hasCauseInstanceOf(TimeoutException.class);
        awaitWaiting(client, 1);
        rival.countDown();
        Patience.get(stays);
    }

    // --- The client.

    /** A client that is closed fails its waits; commands that were called before are executed. */
    @Test
    void close_failsTheWaits() {
        Holdfast closed = redis.connect(builder -> builder);
        DistributedCountDownLatch of = closed.getCountDownLatch(redis.name());
        latch.trySetCount(3);
        List<CompletableFuture<?>> waiting = List.of(
                redis.worker().begins(() -> of.await()),
                redis.worker().begins(() -> of.await(MINUTE)),
                of.awaitAsync(),
                of.awaitAsync(MINUTE));
        awaitWaiting(closed, 4);
        CompletableFuture<?> down = of.countDownAsync();

        closed.close();

        assertThat(waiting).allSatisfy(wait -> assertThatThrownBy(() -> Patience.get(wait))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContainingAll(redis.name(), "closed"));
        Patience.get(down);
        assertThat(latch.getCount()).isEqualTo(2);
        List<Worker.Deed> calls = List.of(
                () -> of.await(),
                () -> assertThat(of.await(MINUTE)).isTrue(),
                () -> assertThat(of.await(Duration.ZERO)).isTrue(),
                () -> of.awaitAsync().join(),
                of::countDown,
                () -> of.countDownAsync().join(),
                () -> of.trySetCount(1),
                () -> of.trySetCountAsync(1).join(),
                of::getCount,
                () -> of.getCountAsync().join(),
                of::delete,
                () -> of.deleteAsync().join());
        assertThat(calls).allSatisfy(call -> assertThatThrownBy(call::act)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed"));
        assertThat(SharedRedis.residueOf(closed)).isEmpty();
    }

    /** What an argument must be is said with its value. */
    @Test
    void arguments() {
        assertThatIllegalArgumentException().isThrownBy(() -> client.getCountDownLatch(" "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> latch.trySetCount(0))
                .withMessageContaining("was 0");
        assertThatIllegalArgumentException().isThrownBy(() -> latch.trySetCount(1L << 53));
        assertThatIllegalArgumentException().isThrownBy(() -> latch.countDown(0));
        assertThatIllegalArgumentException().isThrownBy(() -> latch.countDownAsync(-1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> latch.trySetCount(1, Duration.ZERO))
                .withMessageContaining("lifetime");
        assertThatIllegalArgumentException().isThrownBy(() -> latch.awaitAsync(Duration.ofMillis(-1)));
        assertThat(latch.name()).isEqualTo(redis.name());
        assertThat(latch).hasToString("DistributedCountDownLatch[" + redis.name() + "]");
        latch.trySetCount((1L << 53) - 1);
        assertThat(latch.getCount()).isEqualTo((1L << 53) - 1);
        latch.countDown((1L << 53) - 2);
        assertThat(latch.getCount()).isEqualTo(1);
    }

    /** A key of another type is named, and so is a lock of the same name. */
    @Test
    void wrongType() {
        client.getLock(redis.name()).lock();
        try {
            assertThatThrownBy(() -> latch.trySetCount(1))
                    .isExactlyInstanceOf(LockException.class)
                    .hasMessageContainingAll("latch '" + redis.name() + "'", "is a hash, not a latch");
            assertThatThrownBy(() -> Patience.get(latch.awaitAsync())).hasMessageContaining("not a latch");
        } finally {
            client.getLock(redis.name()).unlock();
        }
        redis.server().command("SET", redis.name(), "many");
        assertThatThrownBy(latch::countDown)
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContaining("holds something else");
        redis.server().command("DEL", redis.name());
    }
}
