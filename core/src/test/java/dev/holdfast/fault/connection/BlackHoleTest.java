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
import dev.holdfast.LockException;
import dev.holdfast.LockKinds;
import dev.holdfast.RealTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** One of a client's two connections swallows all traffic and looks alive; the other one works. */
@Tag("fault")
@Tag("driver")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class BlackHoleTest {
    private static final String NAME = "orders:42";

    @Parameter
    LockKinds kind = LockKinds.PLAIN;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** A silent command connection is replaced: a caller with time left acquires the lock over the next one. */
    @Test
    void commands_timedTryLock_retries() throws Exception {
        DistributedLock lock = kind.lock(faulty.hastyClient(), NAME);
        faulty.commandConnection().blackHole();

        assertThat(lock.tryLock(Duration.ofSeconds(10))).isTrue();

        assertThat(lock.inspect().holdCount()).isEqualTo(1);
        lock.unlock();
    }

    /**
     * A caller without a deadline, at the first call after a network device has forgotten the connection: the command is sent
     * again over the next one.
     */
    @Test
    void commands_lock_survivesOneReconnect() {
        DistributedLock lock = kind.lock(faulty.client(builder -> builder.commandTimeout(SHORT)), NAME);
        faulty.commandConnection().blackHole();

        lock.lock();

        lock.unlock();
    }

    /** If it may take no longer than the connection takes to be given up, it fails once; the next call succeeds. */
    @Test
    void commands_lock_failsOnce() {
        Holdfast client = faulty.hastyClient();
        DistributedLock lock = kind.lock(client, NAME);
        faulty.commandConnection().blackHole();

        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);

        eventually(client::isConnected);
        lock.lock();
        lock.unlock();
    }

    /** A lease survives a silent connection that its renewal was sent over. */
    @RealTime
    void commands_hold_survives() {
        Holdfast client = faulty.hastyClient(SHORT);
        DistributedLock lock = kind.lock(client, NAME);
        lock.lock();
        faulty.commandConnection().blackHole();

        eventually(() -> client.stats().renewals() >= 2);

        assertThat(client.stats().unknownOutcomes()).isPositive();
        assertThat(faulty.events().lost()).isEmpty();
        lock.unlock();
    }

    /** A release that never arrived fails, and is repeated over the next connection, long before the lease ends. */
    @Test
    void commands_unlock_isRepeated() {
        DistributedLock lock = kind.lock(faulty.hastyClient(), NAME);
        lock.lock();
        faulty.commandConnection().blackHole();

        assertThatThrownBy(lock::unlock).isInstanceOf(LockException.class);

        eventually(() -> faulty.keys().isEmpty());
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    /** A waiter whose subscription is silent detects that, long before the holder's lease would end. */
    @Test
    void subscriptions_waiter_getsItSoon() {
        Lease holder = kind.lock(faulty.bystander(), NAME).acquire();
        Holdfast client = faulty.hastyClient();
        CompletableFuture<Lease> waiting = kind.lock(client, NAME).acquireAsync();
        faulty.awaitWaiting(client, 1);
        faulty.subscriberConnection().blackHole();

        holder.close();

        get(waiting, SOON.plus(SOON)).close();
    }

    /** Only waiting depends on the subscription connection. */
    @Test
    void subscriptions_lock_isNotConcerned() {
        Holdfast client = faulty.hastyClient();
        DistributedLock lock = kind.lock(client, NAME);
        Lease other = kind.lock(client, "another").acquire();
        CompletableFuture<Lease> waiting = kind.lock(client, "another").acquireAsync();
        faulty.awaitWaiting(client, 1);
        faulty.subscriberConnection().blackHole();

        lock.lock();
        lock.unlock();

        other.close();
        get(waiting, SOON.plus(SOON)).close();
    }
}
