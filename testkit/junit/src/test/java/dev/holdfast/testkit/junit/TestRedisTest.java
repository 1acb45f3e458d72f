package dev.holdfast.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a test does to the locks, the network and the server. */
final class TestRedisTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

    @RegisterExtension
    static final HoldfastExtension EXTENSION =
            HoldfastExtension.with(TestRedis.builder().settings(builder -> builder.commandTimeout(COMMAND_TIMEOUT)));

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

    /** The other owner does not take a lock that is held: that would be another test. */
    @Test
    void busy_ofAHeldLock() {
        Lease held = lock.acquire();
        assertThatIllegalStateException()
                .isThrownBy(() -> redis.busy(lock))
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

    /** During a partition a call fails after the command timeout; after it, the same client works again. */
    @Test
    void partition_untilHealed() {
        redis.partition();
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockException.class);
        redis.heal();
        await().atMost(SOON).until(redis.client()::isConnected);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
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

    /** A paused server replies to nobody, and continues when it is resumed. */
    @Test
    void pause_untilResumed() {
        redis.pause();
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockException.class);
        redis.resume();
        await().atMost(SOON).until(redis.client()::isConnected);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    /** A client whose connections were cut reconnects, and keeps what it holds. */
    @Test
    void cutConnections_keepsHolds() {
        Lease lease = lock.acquire();
        redis.cutConnections();
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
