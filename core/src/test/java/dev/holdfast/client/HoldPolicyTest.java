package dev.holdfast.client;

import static dev.holdfast.TurnedClock.WATCHDOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockHolder;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The lifetime of a hold with several levels, renewed and explicit ones. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the single steps
final class HoldPolicyTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final TurnedClock clock = new TurnedClock();
    private final Holdfast client = redis.client(clock::turns);
    private final DistributedLock lock = client.getLock(redis.name());

    /**
     * A watched level makes the hold watched, whatever its other levels are, until it is unlocked; then the hold
     * expires.
     */
    @Test
    void watchedLevel_onExplicit() {
        lock.lock(WATCHDOG);
        lock.lock();
        clock.renew(client, 4);
        assertThat(lock.getHoldCount()).isEqualTo(2);
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        clock.advance(WATCHDOG);
        Patience.await().until(() -> client.stats().lost() == 1);
        assertThat(client.stats().renewals()).isEqualTo(4);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        redis.deleteKeys();
    }

    /** An explicit level does not end the renewal of a watched one, neither while it is there nor afterwards. */
    @Test
    void explicitLevel_onWatched() {
        lock.lock();
        lock.lock(Duration.ofMillis(1));
        clock.renew(client, 4);
        lock.unlock();
        clock.renew(client, 4);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    /** A level with a shorter lease does not shorten the hold's. */
    @Test
    void lease_neverShrinks() {
        lock.lock(MINUTE);
        lock.lock(Duration.ofMillis(1));
        lock.lock();
        assertThat(lock.remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isGreaterThan(MINUTE.dividedBy(2)));
        lock.unlock();
        lock.unlock();
        lock.unlock();
    }

    /** Unlocking a level leaves the lease unchanged, in Redis and in the client. */
    @Test
    void unlock_leavesTheLease() {
        lock.lock(Duration.ofSeconds(20));
        lock.lock(MINUTE);
        lock.unlock();
        assertThat(lock.remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isGreaterThan(MINUTE.dividedBy(2)));
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
    }

    /** Redis stores how often the owner has entered. */
    @Test
    void inspect_countsLevels() {
        lock.lock();
        lock.lock(MINUTE);
        assertThat(lock.inspect().holdCount()).isEqualTo(2);
        assertThat(lock.inspect().holder().map(LockHolder::owner))
                .hasValue(client.clientId() + ":" + Thread.currentThread().getId());
        lock.unlock();
        assertThat(lock.inspect().holdCount()).isEqualTo(1);
        lock.unlock();
        assertThat(lock.inspect().isLocked()).isFalse();
        assertThat(lock.inspect().holdCount()).isZero();
    }
}
