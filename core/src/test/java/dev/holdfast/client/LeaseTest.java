package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The lease handle: its owner, its duration, its release. */
@Tag("client")
final class LeaseTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final TurnedClock clock = new TurnedClock();
    private final Holdfast client = redis.client(clock::turns);
    private final DistributedLock turned = client.getLock(redis.name());

    /** The lease holds the lock, and the thread that acquired it does not. */
    @Test
    void acquire_belongsToTheLease() {
        DistributedLock lock = redis.lock();
        try (Lease lease = lock.acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.name()).isEqualTo(lock.name());
            assertThat(lock.isLocked()).isTrue();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lock.tryLock()).isFalse();
        }
        assertThat(lock.isLocked()).isFalse();
    }

    /** A lease is not re-entered: another attempt finds the lock busy, by every method. */
    @RealTime
    void tryAcquire_busy() throws InterruptedException {
        DistributedLock lock = redis.lock();
        Lease lease = lock.acquire(MINUTE);
        assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
        assertThat(lock.tryAcquire(Duration.ofMillis(50), MINUTE)).isEmpty();
        assertThat(Patience.get(lock.tryAcquireAsync(Duration.ofMillis(50)))).isEmpty();
        assertThat(Patience.get(lock.tryAcquireAsync(Duration.ZERO, MINUTE))).isEmpty();
        lease.close();
    }

    /** A free lock is acquired by every method. */
    @Test
    void acquire_everyWay() throws InterruptedException {
        DistributedLock lock = redis.lock();
        lock.acquire().close();
        lock.acquire(MINUTE).close();
        lock.tryAcquire(MINUTE).orElseThrow().close();
        lock.tryAcquire(Duration.ZERO, MINUTE).orElseThrow().close();
        Patience.get(lock.acquireAsync()).close();
        Patience.get(lock.acquireAsync(MINUTE)).close();
        Patience.get(lock.tryAcquireAsync(MINUTE)).orElseThrow().close();
        Patience.get(lock.tryAcquireAsync(Duration.ZERO, MINUTE)).orElseThrow().close();
        assertThat(lock.isLocked()).isFalse();
    }

    /** A lease may be released by any thread. */
    @Test
    void close_byAnotherThread() {
        Lease lease = redis.lock().acquire();
        redis.worker().does(lease::close);
        assertThat(lease.isValid()).isFalse();
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** A second close does nothing, not even to the next holder. */
    @Test
    void close_twice() {
        Lease first = redis.lock().acquire();
        first.close();
        try (Lease second = redis.lock().acquire()) {
            first.close();
            assertThat(Patience.get(first.releaseAsync())).isNull();
            assertThat(second.isValid()).isTrue();
            assertThat(redis.lock().isLocked()).isTrue();
        }
    }

    /** A lease that is released asynchronously is closed at once, and its future completes when Redis has replied. */
    @Test
    void releaseAsync_closesAtOnce() {
        Lease lease = redis.lock().acquire();
        var released = lease.releaseAsync();
        assertThat(lease.isValid()).isFalse();
        Patience.get(released);
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** The remaining time is never more than requested, and zero after the release. */
    @Test
    void remaining_isWhatIsLeft() {
        Lease lease = redis.lock().acquire(MINUTE);
        assertThat(lease.remaining()).isBetween(MINUTE.dividedBy(2), MINUTE);
        lease.close();
        assertThat(lease.remaining()).isZero();
    }

    /** A lease that expired is lost: it is not valid, has the reason, and throws at its first close. */
    @Test
    void lost_ranOut() {
        Lease lease = turned.acquire(MINUTE);
        clock.advance(MINUTE);
        LeaseLoss loss = Patience.get(lease.lost().toCompletableFuture());
        assertThat(loss.reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(loss.held()).isBetween(MINUTE.minusSeconds(1), MINUTE.multipliedBy(2));
        assertThat(loss.sinceConfirmed()).as("confirmed by its grant alone").isEqualTo(loss.held());
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lease::close)
                .withMessageContaining(redis.name())
                .withMessageContaining(client.clientId())
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LossReason.EXPIRED))
                .satisfies(e -> assertThat(e.loss()).isEqualTo(loss));
        lease.close();
        redis.deleteKeys();
    }

    /** An extension confirms the lease, so the loss counts from the extension and not from the grant. */
    @Test
    void lost_afterExtension() {
        Lease lease = turned.acquire(MINUTE);
        clock.advance(MINUTE.dividedBy(2));
        lease.extend(MINUTE);
        clock.advance(MINUTE);
        LeaseLoss loss = Patience.get(lease.lost().toCompletableFuture());
        assertThat(loss.reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(loss.held()).isGreaterThanOrEqualTo(loss.sinceConfirmed().plus(MINUTE.dividedBy(2)));
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lease::close)
                .satisfies(e -> assertThat(e.loss()).isEqualTo(loss));
        redis.deleteKeys();
    }

    /** A watched lease whose key vanished is lost at its next renewal, and its {@code lost()} completes. */
    @Test
    void lost_gone() {
        Lease lease = turned.acquire();
        assertThat(redis.lock().forceUnlock()).isTrue();
        clock.advance(TurnedClock.RENEWAL);
        LeaseLoss loss = Patience.get(lease.lost().toCompletableFuture());
        assertThat(loss.reason()).isEqualTo(LossReason.GONE);
        assertThat(loss.held()).isPositive();
        assertThat(loss.sinceConfirmed()).isBetween(Duration.ZERO, loss.held());
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lease::close)
                .satisfies(e -> assertThat(e.loss()).isEqualTo(loss));
    }

    /** A watched lease that another owner has taken over is lost for that reason, and that owner is not affected. */
    @Test
    void lost_taken() {
        Lease lease = turned.acquire();
        assertThat(redis.lock().forceUnlock()).isTrue();
        try (Lease next = redis.lock().acquire()) {
            clock.advance(TurnedClock.RENEWAL);
            assertThat(Patience.get(lease.lost().toCompletableFuture()).reason())
                    .isIn(LossReason.TAKEN, LossReason.GONE);
            assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
            assertThat(next.isValid()).isTrue();
            assertThat(redis.lock().isLocked()).isTrue();
        }
    }

    /** A lease that was released in time is never lost. */
    @Test
    void lost_neverAfterClose() {
        Lease lease = turned.acquire(MINUTE);
        lease.close();
        Lease longer = turned.acquire(MINUTE);
        clock.advance(MINUTE);
        Patience.get(longer.lost().toCompletableFuture());
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
        redis.deleteKeys();
    }

    /** An extension makes the lease longer in the client and in Redis, never shorter. */
    @Test
    void extend_makesLonger() {
        try (Lease lease = redis.lock().acquire(Duration.ofSeconds(20))) {
            lease.extend(MINUTE);
            lease.extend(Duration.ofSeconds(1));
            assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(30));
            Optional<Duration> inRedis = redis.lock().remainingLease();
            assertThat(inRedis).hasValueSatisfying(left -> assertThat(left).isGreaterThan(lease.remaining()));
        }
    }

    /** A released lease cannot be extended. */
    @Test
    void extend_closed() {
        Lease lease = redis.lock().acquire();
        lease.close();
        assertThatThrownBy(() -> lease.extend(MINUTE))
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LeaseLostException.class);
    }

    /** Extending a lease whose key is gone throws the loss with its reason. */
    @Test
    void extend_lost() {
        Lease forced = redis.lock().acquire();
        assertThat(redis.lock().forceUnlock()).isTrue();
        assertThat(lossOf(forced)).isEqualTo(LossReason.GONE);
        assertThat(lossOf(forced)).isEqualTo(LossReason.GONE);

        Lease robbed = redis.lock().acquire();
        assertThat(redis.lock().forceUnlock()).isTrue();
        try (Lease next = redis.rival().getLock(redis.name()).acquire()) {
            assertThat(lossOf(robbed)).isEqualTo(LossReason.TAKEN);
            assertThat(next.isValid()).isTrue();
        }
    }

    private static LossReason lossOf(Lease lease) {
        try {
            lease.extend(MINUTE);
        } catch (LeaseLostException e) {
            assertThat(lease.isValid()).isFalse();
            return e.reason();
        }
        throw new AssertionError("it was extended");
    }
}
