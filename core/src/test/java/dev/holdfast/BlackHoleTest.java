package dev.holdfast;

import static dev.holdfast.BadDay.SHORT;
import static dev.holdfast.BadDay.SOON;
import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** One of a client's two connections swallows everything and looks alive; the other one works. */
@SuppressWarnings("LockNotBeforeTry") // what is tested is the locking, and nothing is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class BlackHoleTest {
    private static final String NAME = "orders:42";

    @Parameter
    LockKinds kind = LockKinds.PLAIN;

    @RegisterExtension
    final BadDay day = new BadDay();

    /** A silent command connection is replaced: whoever has time left gets the lock over the next one. */
    @Test
    void commands_timedTryLock_triesOn() throws Exception {
        DistributedLock lock = kind.lock(day.client(), NAME);
        day.commandConnection().blackHole();

        assertThat(lock.tryLock(Duration.ofSeconds(10))).isTrue();

        assertThat(lock.inspect().holdCount()).isEqualTo(1);
        lock.unlock();
    }

    /** Whoever has no deadline fails once, and not again. */
    @Test
    void commands_lock_failsOnce() {
        Holdfast client = day.client();
        DistributedLock lock = kind.lock(client, NAME);
        day.commandConnection().blackHole();

        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);

        eventually(client::isConnected);
        lock.lock();
        lock.unlock();
    }

    /** A lease outlives the silence of the connection that it was to be renewed over. */
    @Test
    void commands_hold_survives() {
        Holdfast client = day.client(SHORT);
        DistributedLock lock = kind.lock(client, NAME);
        lock.lock();
        day.commandConnection().blackHole();

        eventually(() -> client.stats().renewals() >= 2);

        assertThat(client.stats().unknownOutcomes()).isPositive();
        assertThat(day.heard().lost()).isEmpty();
        lock.unlock();
    }

    /** A release that never arrived fails, and is made good over the next connection, long before the lease ends. */
    @Test
    void commands_unlock_isMadeGood() {
        DistributedLock lock = kind.lock(day.client(), NAME);
        lock.lock();
        day.commandConnection().blackHole();

        assertThatThrownBy(lock::unlock).isInstanceOf(LockException.class);

        eventually(() -> day.keys().isEmpty());
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    /** A waiter that cannot hear the release any more notices that it cannot, long before the holder's lease would end. */
    @Test
    void subscriptions_waiter_getsItSoon() {
        Lease holder = kind.lock(day.bystander(), NAME).acquire();
        Holdfast client = day.client();
        CompletableFuture<Lease> waiting = kind.lock(client, NAME).acquireAsync();
        day.awaitWaiting(client, 1);
        day.subscriberConnection().blackHole();

        holder.close();

        get(waiting, SOON.plus(SOON)).close();
    }

    /** Nothing but waiting needs the subscriptions. */
    @Test
    void subscriptions_lock_isNotConcerned() {
        Holdfast client = day.client();
        DistributedLock lock = kind.lock(client, NAME);
        Lease other = kind.lock(client, "another").acquire();
        CompletableFuture<Lease> waiting = kind.lock(client, "another").acquireAsync();
        day.awaitWaiting(client, 1);
        day.subscriberConnection().blackHole();

        lock.lock();
        lock.unlock();

        other.close();
        get(waiting, SOON.plus(SOON)).close();
    }
}
