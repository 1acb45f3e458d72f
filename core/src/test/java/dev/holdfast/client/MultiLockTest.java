package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several locks that are acquired together: all or none. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class MultiLockTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SHORT_WAIT = Duration.ofMillis(50);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    /** A thread gets all locks by every method, and each is busy for everybody until it unlocks. */
    @Test
    void lock_everyWay() throws InterruptedException {
        MultiLock lock = multi("a", "b", "c");
        lock.lock();
        checkHeld(lock);
        lock.lock(MINUTE);
        checkHeld(lock);
        lock.lockInterruptibly();
        checkHeld(lock);
        lock.lockInterruptibly(MINUTE);
        checkHeld(lock);
        assertThat(lock.tryLock()).isTrue();
        checkHeld(lock);
        assertThat(lock.tryLock(1, TimeUnit.MINUTES)).isTrue();
        checkHeld(lock);
        assertThat(lock.tryLock(MINUTE)).isTrue();
        checkHeld(lock);
        assertThat(lock.tryLock(Duration.ZERO, MINUTE)).isTrue();
        checkHeld(lock);
    }

    private static void checkHeld(MultiLock lock) {
        assertThat(redis.keys()).containsExactlyInAnyOrder(key("a"), key("b"), key("c"));
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.locks()).noneMatch(DistributedLock::isHeldByCurrentThread);
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(redis.keys()).isEmpty();
    }

    /** The names are those of the locks, in the order in which they were named. */
    @Test
    void names_asNamed() {
        assertThat(multi("b", "a").names()).containsExactly(key("b"), key("a"));
    }

    /** A handle gets all locks by every method, and can be closed by any thread. */
    @Test
    void acquire_everyWay() throws InterruptedException {
        MultiLock lock = multi("a", "b");
        for (MultiLease lease : List.of(lock.acquire())) {
            assertThat(lease.name()).isEqualTo(key("a") + ", " + key("b"));
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.remaining()).isPositive();
            lease.extend(MINUTE);
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(50));
            redis.worker().does(lease::close);
            assertThat(lease.isValid()).isFalse();
            assertThat(lease.remaining()).isZero();
            lease.close();
        }
        lock.acquire(MINUTE).close();
        lock.tryAcquire(MINUTE).orElseThrow().close();
        lock.tryAcquire(Duration.ZERO, MINUTE).orElseThrow().close();
        Patience.get(lock.acquireAsync()).close();
        Patience.get(Patience.get(lock.acquireAsync(MINUTE)).releaseAsync());
        Patience.get(lock.tryAcquireAsync(MINUTE)).orElseThrow().close();
        Patience.get(lock.tryAcquireAsync(Duration.ZERO, MINUTE)).orElseThrow().close();
        assertThat(redis.keys()).isEmpty();
    }

    /** If one lock is busy, whichever it is, none is held; the others are free at once for other callers. */
    @RealTime
    void oneBusy_noneIsHeld() throws InterruptedException {
        MultiLock lock = multi("a", "b", "c");
        for (String busy : List.of("a", "b", "c")) {
            Lease held = redis.rival().getLock(key(busy)).acquire();
            assertThat(lock.tryLock()).isFalse();
            assertThat(lock.tryLock(SHORT_WAIT)).isFalse();
            assertThat(lock.tryAcquire(SHORT_WAIT, MINUTE)).isEmpty();
            assertThat(Patience.get(lock.tryAcquireAsync(Duration.ZERO))).isEmpty();
            Patience.await().until(() -> redis.keys().equals(List.of(key(busy))));
            held.close();
        }
    }

    /** A caller that waits gets all locks as soon as they are free, whichever it waits for. */
    @Test
    void wait_forEach() {
        for (int round = 0; round < 20; round++) {
            List<Lease> held = new ArrayList<>();
            for (String name : List.of("b", "c")) {
                held.add((round % 2 == 0 ? redis.client() : redis.rival())
                        .getLock(key(name))
                        .acquire());
            }
            CompletableFuture<MultiLease> waits = multi("c", "b", "a").acquireAsync(MINUTE);
            Patience.await().until(() -> redis.client().stats().waiters() == 1);
            held.forEach(Lease::close);
            MultiLease lease = Patience.get(waits);
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(50));
            lease.close();
        }
    }

    /** A caller holds nothing that comes behind what it waits for, so others can have that. */
    @Test
    void wait_holdsOnlyWhatComesBefore() {
        Lease busy = redis.rival().getLock(key("b")).acquire();
        CompletableFuture<MultiLease> waits = multi("c", "b", "a").acquireAsync();
        Patience.await()
                .until(() -> redis.keys().size() == 2 && redis.client().stats().waiters() == 1);
        assertThat(redis.keys()).containsExactlyInAnyOrder(key("a"), key("b"));
        redis.rival().getLock(key("c")).acquire().close();
        busy.close();
        Patience.get(waits).close();
    }

    /** The thread enters again by any object of the same locks, in whatever order, and unlocks as often. */
    @Test
    void lock_again() {
        MultiLock lock = multi("a", "b");
        MultiLock same = multi("b", "a");
        lock.lock();
        same.lock(MINUTE);
        assertThat(same.tryLock()).isTrue();
        assertThat(lock.getHoldCount()).isEqualTo(3);
        redis.worker().does(() -> assertThat(multi("a", "b").tryLock()).isFalse());
        lock.unlock();
        lock.unlock();
        assertThat(redis.keys()).hasSize(2);
        same.unlock();
        assertThat(redis.keys()).isEmpty();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    /** A thread that would wait for itself is told, before anything is sent. */
    @Test
    void lock_wouldWaitForItself() {
        MultiLock lock = multi("a", "b");
        lock.lock();
        assertThatIllegalStateException()
                .isThrownBy(() -> multi("b", "c").lock())
                .withMessageContaining("wait for itself");
        lock.unlock();
        DistributedLock single = redis.client().getLock(key("a"));
        single.lock();
        assertThatIllegalStateException().isThrownBy(lock::tryLock).withMessageContaining("by itself");
        single.unlock();
        lock.lock();
        lock.unlock();
    }

    /** One lost lock loses the whole, and the holder is told once; the others are busy until it closes the lease. */
    @Test
    void lost_oneOfThem() {
        MultiLease lease = multi("a", "b", "c").acquire();
        List<LeaseLoss> told = new ArrayList<>();
        CompletableFuture<Void> listener = lease.lost().thenAccept(told::add).toCompletableFuture();
        redis.client().getLock(key("b")).forceUnlock();
        lease.onAtRisk(left -> {});
        assertThatThrownBy(() -> lease.extend(MINUTE)).isInstanceOf(LeaseLostException.class);

        Patience.get(listener);
        assertThat(told).singleElement().extracting(LeaseLoss::reason).isEqualTo(LossReason.GONE);
        assertThat(lease.isValid()).isFalse();
        assertThat(redis.keys()).containsExactlyInAnyOrder(key("a"), key("c"));
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        assertThat(redis.keys()).isEmpty();
        lease.close();
        assertThat(told).hasSize(1);
    }

    /** The same for a thread, whose unlock tells it; afterwards it holds nothing. */
    @RealTime
    void lost_ofThread() {
        MultiLock lock = multi("a", "b");
        lock.lock(Duration.ofMillis(500));
        while (lock.isHeldByCurrentThread()) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        lock.unlock();
    }

    /** What was acquired with an explicit lease and runs out while the call waits is not kept: the call fails. */
    @RealTime
    void lost_whileWaiting() {
        Lease busy = redis.rival().getLock(key("b")).acquire();
        CompletableFuture<MultiLease> waits = multi("a", "b").acquireAsync(Duration.ofMillis(500));
        assertThatThrownBy(() -> Patience.get(waits)).isInstanceOf(LeaseLostException.class);
        Patience.await().until(() -> redis.keys().equals(List.of(key("b"))));
        busy.close();
    }

    /** The hold of a thread that has died is not renewed, whether or not anything is collected. */
    @Test
    void thread_dies() throws InterruptedException {
        Holdfast brisk = redis.briskClient();
        Worker worker = redis.worker();
        worker.does(() -> Holdfast.multiLock(brisk.getLock(key("a")), brisk.getLock(key("b")))
                .lock());
        worker.dies();
        Patience.await().until(() -> redis.keys().isEmpty());
    }

    /** An interrupt or a cancellation ends the wait, and nothing is held. */
    @Test
    void wait_isGivenUp() {
        Lease busy = redis.rival().getLock(key("b")).acquire();
        Worker worker = redis.worker();
        CompletableFuture<Boolean> flag = worker.begins(() -> {
            assertThatThrownBy(() -> multi("a", "b").lockInterruptibly()).isInstanceOf(InterruptedException.class);
            return Thread.currentThread().isInterrupted();
        });
        Patience.await().until(() -> redis.client().stats().waiters() == 1);
        worker.thread().interrupt();
        assertThat(Patience.get(flag)).isFalse();
        Patience.await().until(() -> redis.keys().equals(List.of(key("b"))));

        CompletableFuture<Optional<MultiLease>> cancelled = multi("a", "b").tryAcquireAsync(MINUTE);
        Patience.await().until(() -> redis.client().stats().waiters() == 1);
        assertThat(cancelled.cancel(false)).isTrue();
        Patience.await().until(() -> redis.keys().equals(List.of(key("b"))));
        busy.close();
    }

    /** Plain and fenced locks of several clients can be held together; each fenced one has its token. */
    @Test
    void members_ofSeveralClientsAndKinds() {
        DistributedLock plain = redis.rival().getLock(key("plain"));
        DistributedLock fenced = redis.client().getFencedLock(key("fenced"));
        try (MultiLease lease = Holdfast.multiLock(plain, fenced).acquire()) {
            assertThat(lease.token(fenced)).isPositive();
            assertThatThrownBy(() -> lease.token(plain)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(lease::token).isInstanceOf(UnsupportedOperationException.class);
            assertThatIllegalArgumentException().isThrownBy(() -> lease.token(redis.lock()));
        }
    }

    /** Closing after a delay keeps all locks busy for that long. */
    @Test
    void closeAfter_keepsAllBusy() throws InterruptedException {
        MultiLease lease = multi("a", "b").acquire();
        lease.closeAfter(MINUTE);
        assertThat(multi("a", "b").tryLock()).isFalse();
        assertThat(redis.keys()).hasSize(2);
        redis.deleteKeys();
        multi("a", "b").acquire().closeAfter(Duration.ofMillis(200));
        multi("a", "b").tryAcquire(MINUTE).orElseThrow().close();
    }

    /** Wrong sets are refused. */
    @Test
    void arguments_areChecked() {
        assertThatIllegalArgumentException().isThrownBy(Holdfast::multiLock).withMessageContaining("at least one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> multi("a", "b", "a"))
                .withMessageContaining("twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holdfast.multiLock(
                        redis.client().getLock(key("a")), redis.rival().getFencedLock(key("a"))))
                .withMessageContaining("twice");
        assertThatIllegalArgumentException().isThrownBy(() -> multi("a", "b").lock(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> multi("a", "b").tryLock(Duration.ofMillis(-1)));
        assertThatThrownBy(() -> multi("a").newCondition()).isInstanceOf(UnsupportedOperationException.class);
    }

    private static MultiLock multi(String... names) {
        return Holdfast.multiLock(
                Stream.of(names).map(name -> redis.client().getLock(key(name))).toArray(DistributedLock[]::new));
    }

    private static String key(String name) {
        return redis.name() + " " + name;
    }
}
