package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A thread that loses a hold of its own can have itself interrupted for it, and is for nothing else. */
@SuppressWarnings("LockNotBeforeTry") // what is tested is the locking, and nothing is done under it
final class InterruptOnLossTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Holdfast client =
            redis.client(builder -> SharedRedis.brisk(builder).interruptOnLoss(true));
    private final DistributedLock lock = client.getLock(redis.name());
    private final Worker worker = redis.worker();

    private void awaitLosses(Holdfast losing, long losses) {
        Patience.await().until(() -> losing.stats().lost() == losses);
    }

    private static void assertLost(DistributedLock lost) {
        assertThatThrownBy(lost::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** The owner is interrupted in whatever it does, knows why by then, and its unlock says it too. */
    @Test
    void owner_isInterrupted() {
        CompletableFuture<?> working = worker.begins(() -> {
            lock.lock();
            assertThat(redis.lock().forceUnlock()).isTrue();
            assertThatThrownBy(() -> new CountDownLatch(1).await(1, TimeUnit.MINUTES))
                    .isInstanceOf(InterruptedException.class);
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertLost(lock);
            assertThat(Thread.interrupted()).isFalse();
        });
        Patience.get(working);
    }

    /** Nobody is interrupted who did not ask for it. */
    @Test
    void default_isNotInterrupted() {
        Holdfast asIs = redis.briskClient();
        DistributedLock held = asIs.getLock(redis.name());
        worker.does(() -> {
            held.lock(Duration.ofMillis(100));
            awaitLosses(asIs, 1);
            assertThat(Thread.interrupted()).isFalse();
            assertLost(held);
        });
    }

    /** Of what an async call has entered, or a handle holds, nobody knows which thread works under it. */
    @Test
    void othersThanThreads_interruptNobody() {
        Duration lease = Duration.ofMillis(100);
        Lease[] handle = new Lease[1];
        DistributedLock entered = client.getLock(redis.name() + " entered");
        DistributedLock async = client.getLock(redis.name() + " async");
        worker.does(() -> {
            handle[0] = lock.acquire(lease);
            entered.lock(lease);
            Patience.get(entered.lockAsync(lease));
            Patience.get(async.lockAsync(lease));
            awaitLosses(client, 3);
            assertThat(Thread.interrupted()).isFalse();
            assertLost(entered);
            assertLost(entered);
            assertLost(async);
        });
        assertThatThrownBy(handle[0]::close).isInstanceOf(LeaseLostException.class);
    }

    /** One who waits for another lock just then is interrupted there, as by anybody: it gives up, or keeps the flag. */
    @Test
    void owner_waitsForAnother() {
        DistributedLock taken = client.getLock(redis.name() + " taken");
        Lease other = taken.acquire();
        CompletableFuture<?> giving = worker.begins(() -> {
            lock.lock(Duration.ofMillis(100));
            assertThatThrownBy(taken::lockInterruptibly).isInstanceOf(InterruptedException.class);
            assertLost(lock);
        });
        Patience.get(giving);
        CompletableFuture<?> keeping = worker.begins(() -> {
            lock.lock(Duration.ofMillis(100));
            taken.lock();
            assertThat(Thread.interrupted()).isTrue();
            taken.unlock();
            assertLost(lock);
            assertThat(Thread.interrupted()).isFalse();
        });
        awaitLosses(client, 2);
        assertThat(keeping).isNotDone();
        other.close();
        Patience.get(keeping);
    }

    /** A level that is given back while another is left leaves the thread the owner. */
    @Test
    void partialUnlock_leavesTheOwner() {
        CompletableFuture<?> working = worker.begins(() -> {
            lock.lock();
            lock.lock();
            lock.unlock();
            assertThat(redis.lock().forceUnlock()).isTrue();
            assertThatThrownBy(() -> new CountDownLatch(1).await(1, TimeUnit.MINUTES))
                    .isInstanceOf(InterruptedException.class);
            assertLost(lock);
        });
        Patience.get(working);
    }

    /** Who is told of the loss by an unlock is not interrupted for it as well, however many levels are left. */
    @Test
    void unlock_findsTheLoss() {
        worker.does(() -> {
            lock.lock(Duration.ofMinutes(1));
            lock.lock(Duration.ofMinutes(1));
            assertThat(redis.lock().forceUnlock()).isTrue();
            assertLost(lock);
            assertThat(Thread.interrupted()).isFalse();
            assertLost(lock);
            assertThat(Thread.interrupted()).isFalse();
        });
    }

    /** What was handed on from another thread of the client is its next owner's, interrupt included. */
    @Test
    void handedOn_belongsToTheNext() {
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
            assertThat(redis.lock().forceUnlock()).isTrue();
            assertThatThrownBy(() -> new CountDownLatch(1).await(1, TimeUnit.MINUTES))
                    .isInstanceOf(InterruptedException.class);
            assertLost(lock);
        });
        over.complete(null);
        Patience.get(watching);
    }

    /** An interrupt that is on its way when the thread unlocks arrives before the unlock comes back, and not after. */
    @Test
    void unlock_waitsForWhatIsOnItsWay() {
        SlowToInterrupt owner = new SlowToInterrupt();
        owner.start();
        Patience.get(owner.locked);
        assertThat(redis.lock().forceUnlock()).isTrue();
        Patience.get(owner.onItsWay);
        owner.unlocks.complete(null);
        Patience.await().until(() -> owner.getState() == Thread.State.BLOCKED || owner.cameBackInterrupted.isDone());
        assertThat(owner.cameBackInterrupted).isNotDone();
        owner.arrives.complete(null);
        assertThat(Patience.get(owner.cameBackInterrupted)).isTrue();
    }

    /** Has the lock, unlocks it when it is told to, and is interrupted when that is allowed to arrive. */
    private final class SlowToInterrupt extends Thread {
        final CompletableFuture<@Nullable Void> locked = new CompletableFuture<>();
        final CompletableFuture<@Nullable Void> onItsWay = new CompletableFuture<>();
        final CompletableFuture<@Nullable Void> unlocks = new CompletableFuture<>();
        final CompletableFuture<@Nullable Void> arrives = new CompletableFuture<>();
        final CompletableFuture<Boolean> cameBackInterrupted = new CompletableFuture<>();

        @Override
        public void run() {
            lock.lock();
            locked.complete(null);
            Patience.get(unlocks);
            assertLost(lock);
            cameBackInterrupted.complete(Thread.interrupted());
        }

        @Override
        public void interrupt() {
            onItsWay.complete(null);
            Patience.get(arrives);
            super.interrupt();
        }
    }

    /** The owner that closes the client loses its hold by that, and is not interrupted by itself. */
    @Test
    void close_byTheOwner() {
        Holdfast closing = redis.connect(builder -> SharedRedis.brisk(builder).interruptOnLoss(true));
        DistributedLock held = closing.getLock(redis.name());
        worker.does(() -> {
            held.lock(Duration.ofMillis(500));
            closing.close();
            assertThat(Thread.interrupted()).isFalse();
        });
    }
}
