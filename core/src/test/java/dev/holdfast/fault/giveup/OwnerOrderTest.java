package dev.holdfast.fault.giveup;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.TurnedClock.WATCHDOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.OwnedLock;
import dev.holdfast.TurnedClock;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An owner's next call while a call that it gave up is still in flight: the two are not mixed up. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class OwnerOrderTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** An interrupted acquire does not hold, so an unlock is rejected, although the grant arrives just before it. */
    @Test
    void unlock_afterInterrupt_isRefused() {
        DistributedLock lock = faulty.client().getLock(NAME);
        faulty.proxy().delay(Duration.ofMillis(20));
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> unlocked = elsewhere(() -> {
            thread.complete(Thread.currentThread());
            assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
            lock.unlock();
            return true;
        });
        eventually(() -> faulty.proxy().commands("EVALSHA") == 1);

        get(thread).interrupt();

        assertThatThrownBy(() -> get(unlocked)).isExactlyInstanceOf(IllegalMonitorStateException.class);
        eventually(() -> faulty.events().orphansReleased() == 1);
    }

    /** A watched lock after an interrupted attempt with an explicit lease is renewed like any other. */
    @Test
    void lock_afterInterruptedTry_isRenewed() {
        TurnedClock clock = new TurnedClock();
        Holdfast client = faulty.client(builder -> clock.turns(builder).watchdogTimeout(WATCHDOG));
        DistributedLock lock = client.getLock(NAME);
        faulty.proxy().delay(Duration.ofMillis(20));
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> renewed = elsewhere(() -> {
            thread.complete(Thread.currentThread());
            assertThatThrownBy(() -> assertThat(lock.tryLock(LONG, WATCHDOG)).isTrue())
                    .isInstanceOf(InterruptedException.class);
            lock.lock();
            clock.renew(client, 2);
            assertThat(lock.getHoldCount()).isEqualTo(1);
            lock.unlock();
            return true;
        });
        eventually(() -> faulty.proxy().commands("EVALSHA") == 1);

        get(thread).interrupt();

        assertThat(get(renewed)).isTrue();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** So is one after a future with an explicit lease that was cancelled before its grant was delivered. */
    @Test
    void lock_afterCancelledFuture_isRenewed() {
        TurnedClock clock = new TurnedClock();
        Queue<Runnable> handOvers = new ConcurrentLinkedQueue<>();
        Holdfast client = faulty.client(
                builder -> clock.turns(builder).watchdogTimeout(WATCHDOG).callbackExecutor(handOvers::add));
        OwnedLock owned = client.getLock(NAME).ownedBy(client.newOwnerId());
        CompletableFuture<?> explicit = owned.lockAsync(WATCHDOG);
        eventually(() -> client.stats().acquired() == 1);
        assertThat(explicit.cancel(true)).isTrue();
        CompletableFuture<?> watched = owned.lockAsync();
        eventually(() -> client.stats().acquired() == 2 && owned.getHoldCount() == 1);

        handOvers.forEach(Runnable::run);

        get(watched);
        clock.renew(client, 2);
        CompletableFuture<?> unlocked = owned.unlockAsync();
        eventually(() -> {
            handOvers.forEach(Runnable::run);
            return unlocked.isDone();
        });
    }
}
