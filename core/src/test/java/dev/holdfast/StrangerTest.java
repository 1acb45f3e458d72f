package dev.holdfast;

import static dev.holdfast.BadDay.elsewhere;
import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Unlocks that are nobody's to make: by a stranger, once too often, too late. */
@SuppressWarnings("LockNotBeforeTry") // what is tested is the locking, and nothing is done under it
class StrangerTest {
    private static final String NAME = "orders:42";
    private static final Duration BRIEF = Duration.ofMillis(100);

    @RegisterExtension
    final BadDay day = new BadDay();

    private final DistributedLock lock = day.client().getLock(NAME);

    /** Another thread, another client and another owner cannot unlock, and do no harm by trying. */
    @Test
    void unlock_byStranger_isRefused() {
        lock.lock();

        assertThatThrownBy(() -> get(elsewhere(() -> {
                    lock.unlock();
                    return true;
                })))
                .isExactlyInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(NAME);
        assertThatThrownBy(day.bystander().getLock(NAME)::unlock)
                .isExactlyInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() ->
                        get(lock.ownedBy(Thread.currentThread().getId() + 1).unlockAsync()))
                .isExactlyInstanceOf(IllegalMonitorStateException.class);

        assertThat(lock.inspect().holdCount()).isEqualTo(1);
        lock.unlock();
    }

    /** The second unlock of one lock is refused, without a word to Redis. */
    @Test
    void unlock_twice_isRefused() {
        lock.lock();
        lock.unlock();
        long asked = day.proxy().commands("EVALSHA");

        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);

        assertThat(day.proxy().commands("EVALSHA")).isEqualTo(asked);
    }

    /** After its lease ran out, a holder's unlock says so, and another's hold is not touched. */
    @Test
    void unlock_afterExpiry_isExpired() {
        lock.lock(BRIEF);
        Lease next = day.bystander().getLock(NAME).acquire();

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
        assertLost(LossReason.EXPIRED, lock::unlock);
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);

        assertThat(lock.isLocked()).isTrue();
        next.close();
    }

    /** Each level of a hold that ran out is unlocked once, and each unlock says that it is lost. */
    @Test
    void unlock_afterExpiry_everyLevel() {
        lock.lock(BRIEF);
        lock.lock(BRIEF);
        eventually(() -> !lock.isHeldByCurrentThread());

        lock.lock();
        lock.unlock();

        assertLost(LossReason.EXPIRED, lock::unlock);
        assertLost(LossReason.EXPIRED, lock::unlock);
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    /** A handle whose lease ran out tells so, once; to close it again does nothing. */
    @Test
    void close_afterExpiry_isExpired() {
        Lease lease = lock.acquire(BRIEF);

        assertThat(get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.EXPIRED);
        assertLost(LossReason.EXPIRED, lease::close);
        lease.close();
    }

    /** The lease of one thread is its own: another's, shorter or longer, does not leak into it. */
    @Test
    void lease_ofOneThread_isNotAnothers() {
        DistributedLock other = day.client().getLock("another");
        lock.lock(BRIEF);
        eventually(() -> !lock.isHeldByCurrentThread());
        get(elsewhere(() -> {
            lock.lock();
            assertThat(lock.remainingLease())
                    .hasValueSatisfying(left -> assertThat(left).isGreaterThan(BadDay.LONG.dividedBy(2)));
            lock.unlock();
            return true;
        }));
        other.lock();
        assertThat(other.remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isGreaterThan(BadDay.LONG.dividedBy(2)));
        other.unlock();

        assertLost(LossReason.EXPIRED, lock::unlock);
    }

    private static void assertLost(LossReason reason, Runnable unlock) {
        assertThatThrownBy(unlock::run)
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(reason));
    }
}
