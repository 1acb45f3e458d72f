package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several locks that are held together, of which one is lost: the others are not released before their holder does. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class MultiLockLossTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ROUNDS = 20;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final TurnedClock clock = new TurnedClock();

    private static String key(String name) {
        return redis.name() + " " + name;
    }

    private static MultiLock multi(Holdfast client, String... names) {
        return Holdfast.multiLock(
                Stream.of(names).map(name -> client.getLock(key(name))).toArray(DistributedLock[]::new));
    }

    private static boolean isBusy(String name) {
        return redis.rival().getLock(key(name)).isLocked();
    }

    private static LossReason reasonOf(MultiLease lease) {
        return Patience.get(lease.lost().toCompletableFuture()).reason();
    }

    /** The close of the client loses the whole; no lock becomes free, since the holder may be at work. */
    @Test
    void close_ofTheClient() {
        for (int round = 0; round < ROUNDS; round++) {
            Holdfast client = redis.connect(builder -> builder);
            MultiLease lease = multi(client, "a", "b", "c").acquire();
            client.close();
            assertThat(reasonOf(lease)).isEqualTo(LossReason.CLOSED);
            assertThat(lease.isValid()).isFalse();
            assertThat(redis.keys()).containsExactlyInAnyOrder(key("a"), key("b"), key("c"));
            for (String name : List.of("a", "b", "c")) {
                assertThat(redis.rival().getLock(key(name)).forceUnlock()).isTrue();
            }
        }
    }

    /**
     * Of the locks of two clients, those of the one that stays open are held, and renewed, until the holder releases them;
     * the release reports the loss of the others.
     */
    @Test
    void close_ofOneOfTwoClients() {
        Holdfast stays = redis.client(clock::turns);
        Holdfast closes = redis.connect(builder -> builder);
        MultiLease lease = Holdfast.multiLock(closes.getLock(key("a")), stays.getLock(key("b")))
                .acquire();
        closes.close();
        assertThat(reasonOf(lease)).isEqualTo(LossReason.CLOSED);
        assertThat(lease.isValid()).isFalse();
        assertThat(redis.rival().getLock(key("a")).forceUnlock()).isTrue();
        clock.renew(stays, 3);
        assertThat(isBusy("b")).isTrue();
        assertThatThrownBy(lease::close)
                .isInstanceOf(LeaseLostException.class)
                .extracting(lost -> ((LeaseLostException) lost).reason())
                .isEqualTo(LossReason.CLOSED);
        assertThat(isBusy("b")).isFalse();
    }

    /** The same for a thread: only the unlock of its first level releases what it has left. */
    @Test
    void lost_ofThread_staysUntilTheLastUnlock() {
        MultiLock lock = multi(redis.client(), "a", "b", "c");
        lock.lock();
        lock.lock();
        redis.client().getLock(key("b")).forceUnlock();
        assertThatThrownBy(() -> lock.lock(MINUTE)).isInstanceOf(LeaseLostException.class);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(redis.keys()).containsExactlyInAnyOrder(key("a"), key("c"));
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(redis.keys()).isEmpty();
    }

    /** A handle that is closed after a delay keeps those that are left busy for that long. */
    @Test
    void lost_closedAfterADelay() {
        MultiLease lease = multi(redis.client(), "a", "b").acquire();
        redis.client().getLock(key("a")).forceUnlock();
        assertThatThrownBy(() -> lease.extend(MINUTE)).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> lease.closeAfter(MINUTE)).isInstanceOf(LeaseLostException.class);
        assertThat(redis.keys()).containsExactly(key("b"));
        redis.client().getLock(key("b")).forceUnlock();
    }

    /** A handle that its owner has dropped after the loss is not renewed: the others run out. */
    @Test
    void lost_handleIsDropped() {
        Holdfast client = redis.client(clock::turns);
        loseAndDrop(client);
        Patience.await().until(() -> {
            System.gc();
            clock.advance(Duration.ofSeconds(1)); // the lock is renewed as long as its handle is there
            return client.stats().lost() == 2;
        });
        redis.deleteKeys();
    }

    private void loseAndDrop(Holdfast client) {
        MultiLease lease = multi(client, "a", "b").acquire();
        client.getLock(key("a")).forceUnlock();
        clock.advance(TurnedClock.RENEWAL);
        assertThat(reasonOf(lease)).isEqualTo(LossReason.GONE);
        assertThat(isBusy("b")).isTrue();
    }

    /** A callback that blocks delays the report of no other loss, and no release. */
    @Test
    void lost_callbackBlocks() {
        CompletableFuture<Void> goesOn = new CompletableFuture<>();
        MultiLease first = multi(redis.client(), "a", "b").acquire();
        CompletableFuture<?> blocked =
                first.lost().thenAccept(loss -> Patience.get(goesOn)).toCompletableFuture();
        MultiLease second = multi(redis.client(), "c", "d").acquire();
        redis.client().getLock(key("a")).forceUnlock();
        redis.client().getLock(key("d")).forceUnlock();
        assertThatThrownBy(() -> first.extend(MINUTE)).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> second.extend(MINUTE)).isInstanceOf(LeaseLostException.class);
        assertThat(reasonOf(second)).isEqualTo(LossReason.GONE);
        assertThatThrownBy(second::close).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(first::close).isInstanceOf(LeaseLostException.class);
        assertThat(redis.keys()).isEmpty();
        assertThat(blocked).isNotDone();
        goesOn.complete(null);
        Patience.get(blocked);
    }

    /** A call that loses one lock while it waits for another one ends without the callback executor: nobody works yet. */
    @Test
    void lost_whileWaiting_executorRunsNothing() {
        Queue<Runnable> neverRun = new ConcurrentLinkedQueue<>();
        Holdfast client = redis.client(builder -> builder.callbackExecutor(neverRun::add));
        Lease busy = redis.rival().getLock(key("b")).acquire();
        Worker worker = redis.worker();
        CompletableFuture<?> waits = worker.begins(() -> multi(client, "a", "b").lock(Duration.ofMillis(500)));
        assertThatThrownBy(() -> Patience.get(waits)).isInstanceOf(LeaseLostException.class);
        busy.close();
        neverRun.forEach(Runnable::run);
    }
}
