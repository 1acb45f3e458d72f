package dev.holdfast.client;

import static dev.holdfast.SharedRedis.BRISK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The close of a client: its effect on holders, on waiters and on later calls. */
@Tag("client")
@Tag("driver")
final class CloseTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final TurnedClock clock = new TurnedClock();

    @AutoClose
    private final Holdfast client = redis.connect(clock::turns);

    private final DistributedLock lock = client.getLock(redis.name());

    /** Every call on a closed client throws, and the exception says that the client is closed. */
    @Test
    @SuppressWarnings("CheckReturnValue") // each call throws
    void use_afterClose() {
        client.close();
        List<Worker.Deed> ways = List.of(
                () -> lock.lock(),
                () -> lock.lock(MINUTE),
                lock::lockInterruptibly,
                lock::tryLock,
                () -> lock.tryLock(MINUTE),
                () -> lock.lockAsync().join(),
                () -> lock.tryLockAsync().join(),
                () -> lock.ownedBy(1).lockAsync().join(),
                lock::acquire,
                () -> lock.tryAcquire(MINUTE),
                () -> lock.acquireAsync().join(),
                lock::isLocked,
                lock::inspect,
                lock::forceUnlock);
        assertThat(ways).allSatisfy(way -> assertThatThrownBy(way::act)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed"));
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(client.isConnected()).isFalse();
    }

    /** Waiters are woken with an exception that gives the reason; no wait ends in false or in an empty result. */
    @Test
    void close_wakesWaiters() {
        Lease holder = redis.lock().acquire();
        Worker waiter = redis.worker();
        CompletableFuture<?> blocking = waiter.begins(() -> lock.lock());
        CompletableFuture<?> timed = redis.worker().begins(() -> lock.tryLock(MINUTE));
        CompletableFuture<?> async = lock.acquireAsync();
        Patience.await().until(() -> client.stats().waiters() == 3);
        client.close();
        assertThat(List.of(blocking, timed, async))
                .allSatisfy(waiting -> assertThatThrownBy(() -> Patience.get(waiting))
                        .isInstanceOf(LockException.class)
                        .hasMessageContaining(redis.name())
                        .hasMessageContaining("CLOSED"));
        holder.close();
    }

    /** A hold is not released under its holder: it is lost to the holder, and expires in Redis by itself. */
    @Test
    void close_leavesWhatIsHeld() {
        Lease lease = lock.acquire();
        client.close();
        assertThat(redis.lock().tryLock()).isFalse();
        assertThat(lease.isValid()).isFalse();
        assertThat(Patience.get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.CLOSED);
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lease::close)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LossReason.CLOSED));
        assertThat(redis.lock().isLocked()).isTrue();
        assertThat(redis.lock().forceUnlock()).isTrue();
    }

    /** What is held when the client is closed runs out: it is not renewed any more. */
    @Test
    void close_endsTheRenewal() {
        Holdfast brisk = redis.connect(SharedRedis::brisk);
        Lease lease = brisk.getLock(redis.name()).acquire();
        brisk.close();
        Patience.await().until(() -> !redis.lock().isLocked());
        assertThat(lease.isValid()).isFalse();
    }

    /** The unlock of a thread that held the lock throws because the client was closed. */
    @Test
    void close_underAThread() {
        Worker holder = redis.worker();
        holder.does(() -> lock.lock());
        client.close();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> holder.does(lock::unlock))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LossReason.CLOSED));
        redis.deleteKeys();
    }

    /** During a grace period holders can release and nothing new is granted; it ends with the last hold. */
    @Test
    void grace_awaitsHolders() {
        Lease lease = lock.acquire();
        CompletableFuture<?> closing = redis.worker().begins(() -> client.close(MINUTE));
        Patience.await().until(() -> isRefused(lock));
        assertThat(closing).isNotDone();
        assertThat(lease.isValid()).isTrue();
        lease.close();
        Patience.get(closing);
        assertThat(redis.lock().isLocked()).isFalse();
    }

    private static boolean isRefused(DistributedLock lock) {
        try {
            assertThat(lock.tryLock()).isFalse();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    /** A hold is renewed during the grace period, which may be longer than its lease. */
    @Test
    void grace_renewsHolds() {
        Lease lease = lock.acquire();
        CompletableFuture<?> closing = redis.worker().begins(() -> client.close(MINUTE));
        Patience.await().until(() -> isRefused(lock));
        clock.renew(client, 4);
        assertThat(lease.isValid()).isTrue();
        lease.close();
        Patience.get(closing);
    }

    /** A grace period ends although there is a holder left, whose hold is then lost. */
    @Test
    void grace_ends() {
        Lease lease = lock.acquire();
        long begin = System.nanoTime();
        client.close(BRISK.dividedBy(2));
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(BRISK.dividedBy(2));
        assertThat(lease.isValid()).isFalse();
        redis.deleteKeys();
    }

    /** A second close does nothing, also if it runs concurrently with the first. */
    @Test
    void close_twice() {
        CompletableFuture<?> first = redis.worker().begins(() -> client.close());
        CompletableFuture<?> second = redis.worker().begins(() -> client.close());
        Patience.get(first);
        Patience.get(second);
        client.close();
    }

    /** A negative grace period is rejected. */
    @Test
    void close_negativeGrace() {
        assertThatThrownBy(() -> client.close(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("grace must not be negative, was PT-0.001S");
        assertThat(lock.isLocked()).isFalse();
    }

    /** After the close the server has no connection of the client. */
    @Test
    void close_leavesNoConnection() {
        List<String> before = clientIds();
        Holdfast more = redis.connect(builder -> builder);
        List<String> its = new ArrayList<>(clientIds());
        its.removeAll(before);
        assertThat(its).hasSize(2);
        more.close();
        Patience.await().until(() -> clientIds().stream().noneMatch(its::contains));
    }

    private static List<String> clientIds() {
        return redis.server().clients().stream()
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }
}
