package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.SHORT;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LockKinds;
import dev.holdfast.LossReason;
import dev.holdfast.RealTime;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The server dies and comes back: empty, with its data, or after a while. */
@Tag("fault")
@Tag("driver")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class KilledServerTest {
    private static final String NAME = "orders:42";

    @Parameter
    LockKinds kind = LockKinds.PLAIN;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis(RedisServer.builder().persistent());

    /** A hold whose key did not survive a restart is lost when the server is back, not when its renewal is due. */
    @Test
    void hold_restartedEmpty_isGone() {
        Holdfast client = faulty.hastyClient();
        DistributedLock lock = kind.lock(client, NAME);
        Lease handle = kind.lock(client, "handle").acquire();
        lock.lock();

        restartEmpty();

        assertThat(get(handle.lost().toCompletableFuture(), SOON).reason()).isEqualTo(LossReason.GONE);
        eventually(() -> !lock.isHeldByCurrentThread());
        assertGone(lock::unlock);
        assertGone(handle::close);
        eventually(() -> assertThat(faulty.events().lost()).containsExactly(LossReason.GONE, LossReason.GONE));
    }

    /** After the loss the same thread can lock again, and the lost level still needs an unlock of its own. */
    @Test
    void hold_restartedEmpty_canBeTakenAnew() {
        DistributedLock lock = kind.lock(faulty.hastyClient(), NAME);
        lock.lock();
        restartEmpty();
        eventually(() -> !lock.isHeldByCurrentThread());

        lock.lock();

        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
        assertGone(lock::unlock);
    }

    /** A hold that survived with the server's data is not lost. */
    @Test
    void hold_restartedWithItsData_survives() {
        Holdfast client = faulty.hastyClient();
        DistributedLock lock = kind.lock(client, NAME);
        lock.lock();
        long sent = faulty.proxy().commands("EVALSHA");

        faulty.server().kill();
        eventually(() -> !client.isConnected());
        faulty.server().restart();

        eventually(() -> client.isConnected() && faulty.proxy().commands("EVALSHA") > sent);
        lock.lock();
        assertThat(lock.inspect().holdCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /**
     * A waiter detects that the lock vanished with the server, long before the old holder's lease would have passed.
     */
    @Test
    void waiter_restartedEmpty_getsItSoon() {
        Lease holder = kind.lock(faulty.bystander(), NAME).acquire();
        Holdfast client = faulty.hastyClient();
        CompletableFuture<Lease> waiting = kind.lock(client, NAME).acquireAsync();
        faulty.awaitWaiting(client, 1);

        restartEmpty();

        Lease acquired = get(waiting, SOON);
        assertThatThrownBy(holder::close).isInstanceOf(LeaseLostException.class);
        assertThat(acquired.isValid()).isTrue();
        acquired.close();
    }

    /**
     * While the server is down, calls fail at their deadline and do not return {@code false}; afterwards they work as
     * before.
     */
    @Test
    void down_callsFail_andWorkAgain() {
        Holdfast client = faulty.hastyClient();
        DistributedLock lock = kind.lock(client, NAME);
        faulty.server().kill();

        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class).hasMessageContaining(NAME);
        assertThatThrownBy(() -> assertThat(lock.tryLock()).isFalse()).isInstanceOf(LockException.class);
        assertThatThrownBy(
                        () -> assertThat(lock.tryLock(Duration.ofMillis(500))).isFalse())
                .isInstanceOf(LockException.class);
        assertThatThrownBy(lock::inspect).isInstanceOf(LockException.class);
        assertThat(client.isConnected()).isFalse();

        faulty.server().restart();
        eventually(client::isConnected);
        lock.lock();
        lock.unlock();
    }

    /** A call with a deadline waits for the server as well as for the lock. */
    @Test
    void down_timedTryLock_outlastsIt() throws Exception {
        DistributedLock lock = kind.lock(faulty.hastyClient(), NAME);
        faulty.server().kill();
        CompletableFuture<Optional<Lease>> acquired = lock.tryAcquireAsync(Duration.ofSeconds(10));
        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);

        faulty.server().restart();

        assertThat(get(acquired)).hasValueSatisfying(Lease::close);
    }

    /** If the server is down for longer than the lease, the hold is lost when the lease has passed. */
    @RealTime
    void down_hold_isUnreachable() {
        Lease lease = kind.lock(faulty.hastyClient(SHORT), NAME).acquire();
        faulty.server().kill();

        LeaseLoss loss = get(lease.lost().toCompletableFuture());

        assertThat(loss.reason()).isEqualTo(LossReason.UNREACHABLE);
        assertThat(loss.sinceConfirmed()).isGreaterThan(SHORT.minusMillis(100));
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    private void restartEmpty() {
        faulty.server().command("FLUSHALL");
        faulty.server().kill();
        faulty.server().restart();
    }

    private static void assertGone(Runnable unlock) {
        assertThatThrownBy(unlock::run)
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(LossReason.GONE));
    }
}
