package dev.holdfast.fault.release;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.RealTime;
import dev.holdfast.TurnedClock;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Invalid unlocks: by another owner, once too often, too late. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class InvalidUnlockTest {
    private static final String NAME = "orders:42";
    private static final Duration BRIEF = Duration.ofSeconds(20);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final TurnedClock clock = new TurnedClock();
    private final DistributedLock lock = faulty.client(clock::turns).getLock(NAME);

    /** Another thread, another client and another owner cannot unlock, and their attempts have no effect. */
    @Test
    void unlock_byNonOwner_isRefused() {
        lock.lock();

        assertThatThrownBy(() -> get(elsewhere(() -> {
                    lock.unlock();
                    return true;
                })))
                .isExactlyInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(NAME);
        assertThatThrownBy(faulty.bystander().getLock(NAME)::unlock)
                .isExactlyInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() ->
                        get(lock.ownedBy(Thread.currentThread().getId() + 1).unlockAsync()))
                .isExactlyInstanceOf(IllegalMonitorStateException.class);

        assertThat(lock.inspect().holdCount()).isEqualTo(1);
        lock.unlock();
    }

    /** The second unlock of one lock is rejected, without a command to Redis. */
    @Test
    void unlock_twice_isRefused() {
        lock.lock();
        lock.unlock();
        long sent = faulty.proxy().commands("EVALSHA");

        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);

        assertThat(faulty.proxy().commands("EVALSHA")).isEqualTo(sent);
    }

    /** After its lease expired, a holder's unlock throws the loss, and another owner's hold is not affected. */
    @RealTime
    void unlock_afterExpiry_isExpired() {
        lock.lock(Duration.ofMillis(500));
        Lease next = faulty.bystander().getLock(NAME).acquire();

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
        assertLost(LossReason.EXPIRED, lock::unlock);
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);

        assertThat(lock.isLocked()).isTrue();
        next.close();
    }

    /** Each level of a hold that expired is unlocked once, and each unlock throws the loss. */
    @Test
    void unlock_afterExpiry_everyLevel() {
        lock.lock(BRIEF);
        lock.lock(BRIEF);
        runOut();

        lock.lock();
        lock.unlock();

        assertLost(LossReason.EXPIRED, lock::unlock);
        assertLost(LossReason.EXPIRED, lock::unlock);
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    /** The first close of a handle whose lease expired throws the loss; a second close does nothing. */
    @Test
    void close_afterExpiry_isExpired() {
        Lease lease = lock.acquire(BRIEF);
        runOut();

        assertThat(get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.EXPIRED);
        assertLost(LossReason.EXPIRED, lease::close);
        lease.close();
    }

    /** The lease that {@link #BRIEF} gave ends, for the client and in Redis. */
    private void runOut() {
        faulty.server().command("DEL", NAME);
        clock.advance(BRIEF);
        eventually(() -> !lock.isHeldByCurrentThread());
    }

    /** Each thread has its own lease: another thread's, shorter or longer, does not affect it. */
    @Test
    void lease_ofOneThread_isNotAnothers() {
        DistributedLock other = faulty.client().getLock("another");
        lock.lock(BRIEF);
        runOut();
        get(elsewhere(() -> {
            lock.lock();
            assertThat(lock.remainingLease())
                    .hasValueSatisfying(left -> assertThat(left).isGreaterThan(FaultyRedis.LONG.dividedBy(2)));
            lock.unlock();
            return true;
        }));
        other.lock();
        assertThat(other.remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isGreaterThan(FaultyRedis.LONG.dividedBy(2)));
        other.unlock();

        assertLost(LossReason.EXPIRED, lock::unlock);
    }

    private static void assertLost(LossReason reason, Runnable unlock) {
        assertThatThrownBy(unlock::run)
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(reason));
    }
}
