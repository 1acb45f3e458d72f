package dev.holdfast.client;

import static dev.holdfast.TurnedClock.RENEWAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A thread can be interrupted when it loses a hold of its own, and for nothing else. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class InterruptOnLossTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final TurnedClock clock = new TurnedClock();
    private final Holdfast client = redis.client(builder -> clock.turns(builder).interruptOnLoss(true));
    private final DistributedLock lock = client.getLock(redis.name());
    private final Worker worker = redis.worker();

    /** Deletes the lock, and makes its client notice that by a renewal. */
    private void lose() {
        free();
        clock.advance(RENEWAL);
    }

    private void free() {
        assertThat(redis.lock().forceUnlock()).isTrue();
    }

    private void awaitLosses(Holdfast losing, long losses) {
        Patience.await().until(() -> losing.stats().lost() == losses);
    }

    private static void assertLost(DistributedLock lost) {
        assertThatThrownBy(lost::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** The owner is interrupted whatever it does, the reason is available by then, and its unlock throws it too. */
    @Test
    void owner_isInterrupted() {
        CompletableFuture<?> working = worker.begins(() -> {
            lock.lock();
            lose();
            assertThatThrownBy(() -> new CountDownLatch(1).await(1, TimeUnit.MINUTES))
                    .isInstanceOf(InterruptedException.class);
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertLost(lock);
            assertThat(Thread.interrupted()).isFalse();
        });
        Patience.get(working);
    }

    /** A body that runs under the lock is interrupted too, since it is a level of its thread. */
    @Test
    void body_isInterrupted() {
        CompletableFuture<?> working = worker.begins(() -> assertThatThrownBy(() -> lock.runLocked(() -> {
                    lose();
                    assertThatThrownBy(() -> new CountDownLatch(1).await(1, TimeUnit.MINUTES))
                            .isInstanceOf(InterruptedException.class);
                }))
                .isInstanceOf(LeaseLostException.class));
        Patience.get(working);
    }

    /** By default no thread is interrupted. */
    @Test
    void default_isNotInterrupted() {
        Holdfast asIs = redis.client(clock::turns);
        DistributedLock held = asIs.getLock(redis.name());
        worker.does(() -> {
            held.lock(RENEWAL);
            clock.advance(RENEWAL);
            awaitLosses(asIs, 1);
            assertThat(Thread.interrupted()).isFalse();
            assertLost(held);
        });
        redis.deleteKeys();
    }

    /**
     * A loss of a hold that an async call or a lease handle has acquired interrupts no thread, since the working thread
     * is unknown.
     */
    @Test
    void othersThanThreads_interruptNoThread() {
        Lease[] handle = new Lease[1];
        DistributedLock entered = client.getLock(redis.name() + " entered");
        DistributedLock async = client.getLock(redis.name() + " async");
        worker.does(() -> {
            handle[0] = lock.acquire(RENEWAL);
            entered.lock(RENEWAL);
            Patience.get(entered.lockAsync(RENEWAL));
            Patience.get(async.lockAsync(RENEWAL));
            clock.advance(RENEWAL);
            awaitLosses(client, 3);
            assertThat(Thread.interrupted()).isFalse();
            assertLost(entered);
            assertLost(entered);
            assertLost(async);
        });
        assertThatThrownBy(handle[0]::close).isInstanceOf(LeaseLostException.class);
        redis.deleteKeys();
    }

    /**
     * An owner that is waiting for another lock is interrupted there like by any interrupt: it gives up, or keeps the
     * flag.
     */
    @Test
    void owner_waitsForAnother() {
        DistributedLock taken = client.getLock(redis.name() + " taken");
        Lease other = taken.acquire();
        CompletableFuture<?> giving = worker.begins(() -> {
            lock.lock(RENEWAL);
            assertThatThrownBy(taken::lockInterruptibly).isInstanceOf(InterruptedException.class);
            assertLost(lock);
        });
        runOutWhileWaiting();
        Patience.get(giving);
        CompletableFuture<?> keeping = worker.begins(() -> {
            lock.lock(RENEWAL);
            taken.lock();
            assertThat(Thread.interrupted()).isTrue();
            taken.unlock();
            assertLost(lock);
            assertThat(Thread.interrupted()).isFalse();
        });
        runOutWhileWaiting();
        awaitLosses(client, 2);
        assertThat(keeping).isNotDone();
        other.close();
        Patience.get(keeping);
        redis.deleteKeys();
    }

    private void runOutWhileWaiting() {
        Patience.await().until(() -> client.stats().waiters() == 1);
        clock.advance(RENEWAL);
    }

    /** Unlocking one of several levels leaves the thread the owner. */
    @Test
    void partialUnlock_leavesTheOwner() {
        CompletableFuture<?> working = worker.begins(() -> {
            lock.lock();
            lock.lock();
            lock.unlock();
            lose();
            assertThatThrownBy(() -> new CountDownLatch(1).await(1, TimeUnit.MINUTES))
                    .isInstanceOf(InterruptedException.class);
            assertLost(lock);
        });
        Patience.get(working);
    }

    /** An owner whose unlock throws the loss is not interrupted for it as well, however many levels are left. */
    @Test
    void unlock_findsTheLoss() {
        worker.does(() -> {
            lock.lock(Duration.ofMinutes(1));
            lock.lock(Duration.ofMinutes(1));
            free();
            assertLost(lock);
            assertThat(Thread.interrupted()).isFalse();
            assertLost(lock);
            assertThat(Thread.interrupted()).isFalse();
        });
    }

    /**
     * A hold that was handed off from another thread of the client belongs to its next owner, including the interrupt.
     */
    @Test
    void handedOff_belongsToTheNext() {
        CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
        Worker before = redis.worker();
        CompletableFuture<?> watching = before.begins(() -> {
            lock.lock();
            Patience.await().until(() -> client.stats().waiters() == 1);
            lock.unlock();
            Patience.get(over);
            assertThat(Thread.interrupted()).isFalse();
        });
        Patience.await().until(() -> client.stats().holds() == 1);
        worker.does(() -> {
            lock.lock();
            lose();
            assertThatThrownBy(() -> new CountDownLatch(1).await(1, TimeUnit.MINUTES))
                    .isInstanceOf(InterruptedException.class);
            assertLost(lock);
        });
        over.complete(null);
        Patience.get(watching);
    }

    /** An interrupt that is in flight when the thread unlocks arrives before the unlock returns, not after. */
    @Test
    void unlock_waitsForTheInterrupt() {
        SlowToInterrupt owner = new SlowToInterrupt();
        owner.start();
        Patience.get(owner.locked);
        lose();
        Patience.get(owner.interruptBegun);
        owner.unlocks.complete(null);
        Patience.await().until(() -> owner.getState() == Thread.State.BLOCKED || owner.returnedInterrupted.isDone());
        assertThat(owner.returnedInterrupted).isNotDone();
        owner.arrives.complete(null);
        assertThat(Patience.get(owner.returnedInterrupted)).isTrue();
    }

    /** Holds the lock, unlocks it on demand, and delays its interrupt until the test allows it. */
    private final class SlowToInterrupt extends Thread {
        final CompletableFuture<@Nullable Void> locked = new CompletableFuture<>();
        final CompletableFuture<@Nullable Void> interruptBegun = new CompletableFuture<>();
        final CompletableFuture<@Nullable Void> unlocks = new CompletableFuture<>();
        final CompletableFuture<@Nullable Void> arrives = new CompletableFuture<>();
        final CompletableFuture<Boolean> returnedInterrupted = new CompletableFuture<>();

        @Override
        public void run() {
            lock.lock();
            locked.complete(null);
            Patience.get(unlocks);
            assertLost(lock);
            returnedInterrupted.complete(Thread.interrupted());
        }

        @Override
        public void interrupt() {
            interruptBegun.complete(null);
            Patience.get(arrives);
            super.interrupt();
        }
    }

    /** The owner that closes the client loses its hold by that, and does not interrupt itself. */
    @Test
    void close_byTheOwner() {
        Holdfast closing = redis.connect(builder -> builder.interruptOnLoss(true));
        DistributedLock held = closing.getLock(redis.name());
        worker.does(() -> {
            held.lock(Duration.ofMillis(500));
            closing.close();
            assertThat(Thread.interrupted()).isFalse();
        });
    }
}
