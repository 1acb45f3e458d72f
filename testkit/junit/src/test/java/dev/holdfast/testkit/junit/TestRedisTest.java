package dev.holdfast.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.Permits;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a test does to the locks, the network and the server. */
@ExtendWith(HoldfastExtension.class)
@Execution(ExecutionMode.CONCURRENT)
final class TestRedisTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final TestRedis redis;
    private final DistributedLock lock;

    TestRedisTest(TestRedis redis, Holdfast holdfast) {
        this.redis = redis;
        this.lock = holdfast.getLock("orders");
    }

    /** The holder is told that its key vanished, long before the renewal that would be due by the system's clock. */
    @Test
    void loseLease_isToldToTheHandle() {
        Lease lease = lock.acquire();
        redis.loseLease(lease);
        assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON).satisfies(loss -> assertThat(loss.reason())
                .isEqualTo(LossReason.GONE));
        assertThat(lease.isValid()).isFalse();
        assertThat(lock.isLocked()).isFalse();
    }

    /** A thread that holds the lock is told as well, and its unlock throws. */
    @Test
    void loseLease_isToldToTheThread() {
        lock.lock();
        redis.loseLease(lock);
        await().pollInSameThread().atMost(SOON).until(() -> !lock.isHeldByCurrentThread());
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** The holder of an explicit lease, which is not renewed, is told by its release. */
    @Test
    void loseLease_explicit() {
        Lease lease = lock.acquire(Duration.ofMinutes(1));
        redis.loseLease(lease);
        assertThat(lease.isValid()).isTrue();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    /** A read-write lock is busy with a reader or with a writer. */
    @Test
    void busy_readWrite() {
        DistributedReadWriteLock prices = redis.client().getReadWriteLock("prices");
        try (Lease reader = redis.busyReading(prices)) {
            prices.readLock().acquire().close();
            assertThat(prices.writeLock().tryLock()).isFalse();
            assertThat(reader.isValid()).isTrue();
        }
        try (Lease writer = redis.busyWriting(prices)) {
            assertThat(prices.readLock().tryLock()).isFalse();
            assertThat(writer.isValid()).isTrue();
            assertThatIllegalStateException().isThrownBy(() -> redis.busyReading(prices));
        }
    }

    /** Its readers are told of a loss, each of them, and so is its writer, also if the lock is named by its lease alone. */
    @Test
    void loseLease_readWrite() {
        DistributedReadWriteLock prices = redis.client().getReadWriteLock("prices");
        List<Lease> readers =
                List.of(prices.readLock().acquire(), prices.readLock().acquire());
        redis.loseLease(prices);
        readers.forEach(reader -> assertThat(reader.lost().toCompletableFuture())
                .succeedsWithin(SOON)
                .satisfies(loss -> assertThat(loss.reason()).isEqualTo(LossReason.GONE)));
        Lease writer = prices.writeLock().acquire();
        redis.loseLease(writer);
        assertThat(writer.lost().toCompletableFuture()).succeedsWithin(SOON);
    }

    /** A semaphore is busy with all its permits, which must be free. */
    @Test
    void busy_semaphore() {
        DistributedSemaphore calls = redis.client().getSemaphore("calls", 3);
        try (Permits all = redis.busy(calls)) {
            assertThat(all.permits()).isEqualTo(3);
            assertThat(calls.tryAcquire()).isEmpty();
        }
        try (Permits one = calls.acquire()) {
            assertThat(one.isValid()).isTrue();
            assertThatIllegalStateException()
                    .isThrownBy(() -> redis.busy(calls))
                    .withMessageContaining("all permits of the semaphore 'calls' must be free");
        }
    }

    /** The holder of permits is told that they are lost, and others of the semaphore are kept. */
    @Test
    void loseLease_permits() {
        DistributedSemaphore calls = redis.client().getSemaphore("calls", 3);
        Permits before = calls.acquire();
        Permits lost = calls.acquire();
        Permits after = calls.acquire();
        redis.loseLease(lost);
        assertLost(List.of(lost), LossReason.GONE);
        assertThat(List.of(before, after)).allMatch(Lease::isValid);
        assertThat(calls.availablePermits()).isEqualTo(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> redis.loseLease(lost))
                .withMessageContaining("the semaphore 'calls' must be held");
        before.close();
        after.close();
    }

    /** A reader is told that another owner writes. */
    @Test
    void takeOver_readWrite() {
        DistributedReadWriteLock prices = redis.client().getReadWriteLock("prices");
        Lease reader = prices.readLock().acquire();
        Lease taken = redis.takeOver(prices);
        assertThat(reader.lost().toCompletableFuture()).succeedsWithin(SOON).satisfies(loss -> assertThat(loss.reason())
                .isEqualTo(LossReason.TAKEN));
        assertThat(prices.readLock().tryLock()).isFalse();
        taken.close();
    }

    /** Other holds are renewed, not lost. */
    @Test
    void loseLease_leavesOthersAlone() {
        Lease lost = lock.acquire();
        Lease kept = redis.client().getLock("stock").acquire();
        redis.loseLease(lost);
        assertThat(lost.lost().toCompletableFuture()).succeedsWithin(SOON);
        assertThat(kept.isValid()).isTrue();
        kept.close();
    }

    /** Losses one after the other add up to no lease that runs out: each has its own reason, and other holds are renewed. */
    @Test
    void loseLease_severalInARow() {
        Lease kept = redis.client().getLock("kept").acquire();
        Lease keptElsewhere = redis.connect().getLock("kept elsewhere").acquire();
        List<Lease> lost = Stream.of("a", "b", "c", "d")
                .map(name -> redis.client().getLock(name).acquire())
                .toList();
        lost.forEach(redis::loseLease);
        assertLost(lost, LossReason.GONE);
        assertThat(List.of(kept, keptElsewhere)).allMatch(Lease::isValid);
    }

    /** So do those of leases that are acquired meanwhile. */
    @Test
    void loseLease_ofALeaseJustAcquired() {
        Lease kept = redis.client().getLock("stock").acquire();
        List<Lease> lost = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            lost.add(redis.client().getLock(name).acquire());
            redis.loseLease(name);
        }
        assertLost(lost, LossReason.GONE);
        assertThat(kept.isValid()).isTrue();
    }

    private static void assertLost(List<Lease> leases, LossReason reason) {
        assertThat(leases).allSatisfy(lease -> assertThat(lease.lost().toCompletableFuture())
                .succeedsWithin(SOON)
                .satisfies(loss -> assertThat(loss.reason()).isEqualTo(reason)));
    }

    /** A lock that nobody holds cannot be lost: the test has the wrong name, or comes too early. */
    @Test
    void loseLease_ofAFreeLock() {
        assertThatIllegalStateException()
                .isThrownBy(() -> redis.loseLease("orders"))
                .withMessageContaining("the lock 'orders' must be held");
    }

    /** The lock is busy for every caller until the other owner releases it. */
    @Test
    void busy_untilClosed() {
        Lease other = redis.busy(lock);
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.inspect().holder()).isPresent();
        other.close();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    /** The fenced lock of that name is busy as well. */
    @Test
    void busy_fenced() {
        FencedLock fenced = redis.client().getFencedLock("orders");
        Lease other = redis.busy(fenced);
        assertThat(fenced.tryLock()).isFalse();
        other.close();
    }

    /** A caller that waits gets the lock when the other owner releases it. */
    @Test
    void busy_thenGrantedToAWaiter() {
        Lease other = redis.busy(lock);
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        await().atMost(SOON).until(() -> lock.inspect().clientsInLine() == 1);
        assertThat(waiting).isNotDone();
        other.close();
        assertThat(waiting).succeedsWithin(SOON).satisfies(Lease::close);
    }

    /** The other owner does not take a lock that is held, nor wait for it: that would be another test. */
    @Test
    void busy_ofAHeldLock() {
        Lease held = lock.acquire();
        assertThat(CompletableFuture.supplyAsync(() -> redis.busy(lock)))
                .failsWithin(SOON)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining("the lock 'orders' must be free");
        held.close();
    }

    /** A lock of a client with another key prefix is another lock: this is refused, as it would test nothing. */
    @Test
    void busy_ofAnotherPrefix() {
        try (Holdfast prefixed =
                Holdfast.builder().redisUri(redis.uri()).keyPrefix("shop:").build()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> redis.busy(prefixed.getLock("orders")))
                    .withMessageContaining("key prefix");
        }
        assertThat(redis.server().keys()).isEmpty();
    }

    /** With the prefix in the builder, it is the same lock. */
    @Test
    void busy_withThePrefix() {
        try (TestRedis shop = TestRedis.builder().keyPrefix("shop:").start()) {
            DistributedLock orders = shop.client().getLock("orders");
            Lease other = shop.busy(orders);
            assertThat(orders.tryLock()).isFalse();
            other.close();
        }
    }

    /** The holder is told that another owner has the lock. */
    @Test
    void takeOver_isToldToTheHolder() {
        Lease lease = lock.acquire();
        Lease other = redis.takeOver(lock);
        assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON).satisfies(loss -> assertThat(loss.reason())
                .isEqualTo(LossReason.TAKEN));
        assertThat(other.isValid()).isTrue();
        other.close();
    }

    /** The other owner's fencing token is larger, and so is the next one of the owner that lost the lock. */
    @Test
    void takeOver_fenced() {
        FencedLock fenced = redis.client().getFencedLock("orders");
        Lease lost = fenced.acquire();
        Lease other = redis.takeOver(fenced);
        assertThat(other.token()).isGreaterThan(lost.token());
        other.close();
        Lease next = fenced.acquire();
        assertThat(next.token()).isGreaterThan(other.token());
        next.close();
    }

    /** A caller that waits has the lock before the other owner or after it, and does not keep it from the other owner. */
    @Test
    void takeOver_besideAWaiter() {
        Lease lease = lock.acquire();
        CompletableFuture<Void> waiter =
                redis.connect().getLock("orders").acquireAsync().thenAccept(Lease::close);
        await().atMost(SOON).until(() -> lock.inspect().clientsInLine() == 1);
        Lease other = redis.takeOver(lock);
        assertThat(other.isValid()).isTrue();
        other.close();
        assertThat(waiter).succeedsWithin(SOON);
        assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON);
    }

    /** Locks that are taken over one after the other are lost for that reason, and other holds are renewed. */
    @Test
    void takeOver_severalInARow() {
        Lease kept = redis.client().getLock("kept").acquire();
        List<Lease> lost = Stream.of("a", "b", "c", "d")
                .map(name -> redis.client().getLock(name).acquire())
                .toList();
        lost.forEach(lease -> redis.takeOver(lease.name()));
        assertLost(lost, LossReason.TAKEN);
        assertThat(kept.isValid()).isTrue();
    }

    /** An outage or an explicit lease, of which no renewal comes, delays a further loss, and does not prevent it. */
    @Test
    void takeOver_duringAPartition() {
        Lease first = lock.acquire();
        Lease second = redis.client().getLock("stock").acquire(Duration.ofMinutes(1));
        redis.partition();
        redis.takeOver(first.name());
        redis.takeOver(second.name());
        assertThat(first.isValid()).isTrue();
        redis.heal();
        assertThat(first.lost().toCompletableFuture()).succeedsWithin(SOON).satisfies(loss -> assertThat(loss.reason())
                .isEqualTo(LossReason.TAKEN));
        assertThatThrownBy(second::close).isInstanceOf(LeaseLostException.class);
    }

    /** A lock that nobody holds cannot be taken over. */
    @Test
    void takeOver_ofAFreeLock() {
        assertThatIllegalStateException()
                .isThrownBy(() -> redis.takeOver("orders"))
                .withMessage("the lock 'orders' must be held, but is free (without a key prefix)");
        assertThat(lock.isLocked()).isFalse();
        try (TestRedis shop = TestRedis.builder().keyPrefix("shop:").start()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> shop.takeOver("orders"))
                    .withMessageEndingWith("(with the key prefix 'shop:')");
        }
    }

    /** A partition cuts off the clients, not the other owner: it can have the lock meanwhile. */
    @Test
    void partition_leavesTheOtherOwnerConnected() {
        redis.partition();
        Lease other = redis.busy("orders");
        assertThat(other.isValid()).isTrue();
        other.close();
    }

    /** A lease that cannot be renewed is lost when it has run out by the clock. */
    @Test
    void partition_untilTheLeaseRunsOut() {
        Lease lease = lock.acquire();
        redis.partition();
        redis.clock().advance(Duration.ofSeconds(31));
        assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON);
        assertThat(lease.isValid()).isFalse();
    }

    /** Healing ends every fault, also one that was set on the network itself. */
    @Test
    void heal_endsEveryFault() {
        redis.network().refuse();
        redis.cutConnections();
        await().atMost(SOON).until(() -> !redis.client().isConnected());
        assertThatThrownBy(redis::connect).isInstanceOf(LockException.class);
        redis.heal();
        await().atMost(SOON).until(redis.client()::isConnected);
        lock.runLocked(() -> {});
    }

    /** A client whose connections were cut reconnects, and keeps what it holds. */
    @Test
    void cutConnections_keepsHolds() {
        Lease lease = lock.acquire();
        redis.cutConnections();
        await().atMost(SOON).until(() -> redis.client().stats().reconnects() > 0);
        await().atMost(SOON).until(redis.client()::isConnected);
        assertThat(lease.isValid()).isTrue();
        lease.close();
    }

    /** An explicit lease ends by the clock: the holder is told, though no time has passed. */
    @Test
    void advance_endsAnExplicitLease() {
        Lease lease = lock.acquire(Duration.ofHours(1));
        redis.clock().advance(Duration.ofMinutes(59));
        assertThat(lease.isValid()).isTrue();
        redis.clock().advance(Duration.ofMinutes(1));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON).satisfies(loss -> assertThat(loss.reason())
                .isEqualTo(LossReason.EXPIRED));
    }

    /** No time passes for the other owner. */
    @Test
    void advance_leavesTheOtherOwnerAlone() {
        Lease other = redis.busy(lock);
        redis.clock().advance(Duration.ofHours(1));
        assertThat(other.isValid()).isTrue();
        other.close();
    }

    /** An application that connects itself, with the clock, knows of a loss when the call returns, and is cut off like the others. */
    @Test
    void uri_ofAnApplication() {
        try (Holdfast application =
                redis.clock().applyTo(Holdfast.builder().redisUri(redis.uri())).build()) {
            Lease lease = application.getLock("orders").acquire();
            redis.loseLease(lease);
            assertThat(lease.isValid()).isFalse();
            Lease another = application.getLock("orders").acquire();
            Lease other = redis.takeOver("orders");
            assertThat(another.isValid()).isFalse();
            other.close();
            redis.partition();
            assertThatThrownBy(application.getLock("orders")::tryLock).isInstanceOf(LockException.class);
            redis.heal();
        }
    }

    /** All clients are closed, the other owner's too, and the network and the server are gone. A second close does nothing. */
    @Test
    void close_all() {
        TestRedis closed = TestRedis.start();
        Lease mine = closed.client().getLock("orders").acquire();
        Lease later = closed.connect().getLock("stock").acquire();
        Lease other = closed.busy("report");
        closed.close();
        assertThat(List.of(mine, later, other))
                .allSatisfy(lease -> assertThat(lease.lost().toCompletableFuture())
                        .succeedsWithin(SOON)
                        .satisfies(loss -> assertThat(loss.reason()).isEqualTo(LossReason.CLOSED)));
        assertThat(closed.server().isRunning()).isFalse();
        assertThatThrownBy(() -> new Socket(
                                InetAddress.getLoopbackAddress(),
                                closed.network().port())
                        .close())
                .isInstanceOf(ConnectException.class);
        closed.close();
    }

    /** The faults are ended first, so that no client waits for its command timeout. */
    @Test
    void close_endsFaultsFirst() {
        TestRedis broken = TestRedis.builder()
                .watchdogTimeout(Duration.ofMinutes(2))
                .settings(client -> client.commandTimeout(Duration.ofSeconds(50)))
                .start();
        Lease held = broken.client().getLock("orders").acquire();
        assertThat(held.isValid()).isTrue();
        broken.partition();
        broken.pause();
        CompletableFuture<Boolean> unanswered = broken.client().getLock("stock").tryLockAsync();
        assertThat(unanswered).isNotDone();
        assertThat(CompletableFuture.runAsync(broken::close)).succeedsWithin(Duration.ofSeconds(40));
    }

    /** A client that is connected to it later shares the clock and the network. */
    @Test
    void connect_anotherInstance() {
        Holdfast second = redis.connect();
        Lease lease = second.getLock("orders").acquire();
        assertThat(lock.tryLock()).isFalse();
        redis.loseLease(lease);
        assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON);
    }
}
