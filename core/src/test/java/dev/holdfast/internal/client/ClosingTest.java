package dev.holdfast.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastStats;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import dev.holdfast.internal.session.AdvancedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a client does from the first call of close until it is closed, for holders and for concurrent closes. */
final class ClosingTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    @AutoClose
    private final Holdfast client = redis.connect(builder -> builder);

    private final DistributedLock lock = client.getLock(redis.name());
    private final Worker holder = redis.worker();

    @BeforeEach
    void hold() {
        holder.does(() -> lock.lock());
    }

    /**
     * The holder of a lock can re-enter it by every method until the grace is over, and the close waits for its last
     * level.
     */
    @Test
    void grace_reentries_areGranted() {
        CompletableFuture<?> closing = beginClose(MINUTE);
        OwnedLock same = lock.ownedBy(holder.thread().getId());

        holder.does(() -> lock.lock());
        holder.does(() -> lock.lock(MINUTE));
        holder.does(() -> lock.lockInterruptibly());
        assertThat(holder.does(() -> lock.tryLock())).isTrue();
        assertThat(holder.does(() -> lock.tryLock(MINUTE))).isTrue();
        Patience.get(same.lockAsync());
        assertThat(Patience.get(same.tryLockAsync())).isTrue();
        assertThat(Patience.get(same.tryLockAsync(MINUTE))).isTrue();

        assertThat(holder.does(() -> lock.getHoldCount())).isEqualTo(9);
        assertThat(holder.does(() -> lock.inspect()).holdCount()).isEqualTo(9);
        for (int level = 0; level < 8; level++) {
            holder.does(lock::unlock);
        }
        assertThat(closing).isNotDone();
        assertThat(holder.does(() -> lock.isHeldByCurrentThread())).isTrue();
        holder.does(lock::unlock);
        Patience.get(closing);
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** A handle can be extended during the grace. */
    @Test
    void grace_extends() {
        Lease lease = client.getLock(redis.name() + " too").acquire(MINUTE);
        CompletableFuture<?> closing = beginClose(MINUTE);
        lease.extend(MINUTE.multipliedBy(2));
        assertThat(lease.remaining()).isGreaterThan(MINUTE);
        lease.close();
        holder.does(lock::unlock);
        Patience.get(closing);
    }

    /** Waits for a latch fail when the grace begins, and no further one begins; the latch can be changed until it is over. */
    @Test
    void grace_latches() {
        DistributedCountDownLatch latch = client.getCountDownLatch(redis.name() + " latch");
        latch.trySetCount(2);
        CompletableFuture<?> blocking = redis.worker().begins(() -> latch.await());
        CompletableFuture<?> async = latch.awaitAsync(MINUTE);
        Patience.await().until(() -> client.stats().waiters() == 2);

        CompletableFuture<?> closing = beginClose(MINUTE);

        assertThat(List.of(blocking, async)).allSatisfy(waiting -> assertThatThrownBy(() -> Patience.get(waiting))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContaining("CLOSED"));
        assertThatThrownBy(() -> latch.await())
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        latch.countDown();
        assertThat(latch.getCount()).isEqualTo(1);
        assertThat(latch.delete()).isTrue();
        assertThat(closing).isNotDone();
        holder.does(lock::unlock);
        Patience.get(closing);
    }

    /** A wait that begins at the same time as the grace fails, too: it does not last until that is over. */
    @Test
    void grace_awaitThatBeginsWithIt() {
        BusyClock clock = new BusyClock();
        Holdfast another = redis.connect(builder -> builder.addListener(clock));
        Lease held = another.getLock(redis.name() + " too").acquire();
        // With a count: the reply to the first look may come before the wait fails.
        DistributedCountDownLatch latch = client.getCountDownLatch(redis.name() + " latch");
        latch.trySetCount(1);
        Worker closer = redis.worker();
        List<CompletableFuture<?>> closing = new ArrayList<>();
        clock.beforeNextReading(() -> {
            closing.add(closer.begins(() -> another.close(MINUTE)));
            awaitWaiting(closer);
        });

        CompletableFuture<?> waiting =
                another.getCountDownLatch(redis.name() + " latch").awaitAsync();

        assertThat(closing)
                .as("the wait was accepted, and then the close began")
                .hasSize(1);
        assertThatThrownBy(() -> Patience.get(waiting))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContaining("CLOSED");
        held.close();
        Patience.get(closing.get(0));
        assertThat(latch.delete()).isTrue();
        holder.does(lock::unlock);
    }

    /** Runs an action before the thread that has created the clock reads it for the next time. */
    private static final class BusyClock implements AdvancedTime {
        private final Thread reader = Thread.currentThread();

        /** Used by the reader only. */
        private @Nullable Runnable next;

        void beforeNextReading(Runnable action) {
            next = action;
        }

        @Override
        public long nanoTime() {
            if (Thread.currentThread() == reader && next != null) {
                Runnable action = next;
                next = null;
                action.run();
            }
            return System.nanoTime();
        }

        @Override
        public void afterAdvance(Runnable action) {}

        @Override
        public void addClient(Supplier<HoldfastStats> client) {}
    }

    /** A lock that its owner is just releasing is not re-entered: that would be a new hold. */
    @Test
    void grace_lockAfterUnlock_isRefused() {
        OwnedLock owned = client.getLock(redis.name() + " too").ownedBy(client.newOwnerId());
        Patience.get(owned.lockAsync());
        CompletableFuture<?> closing = beginClose(MINUTE);

        CompletableFuture<?> unlocking = owned.unlockAsync();
        assertThatThrownBy(() -> Patience.get(owned.lockAsync()))
                .isInstanceOfAny(LockException.class, IllegalStateException.class)
                .hasMessageContaining("closed");

        Patience.get(unlocking);
        holder.does(lock::unlock);
        Patience.get(closing);
        assertThat(redis.keys()).isEmpty();
    }

    /** After the grace no hold is re-entered any more. */
    @Test
    void graceOver_reentry_isRefused() {
        client.close(Duration.ofMillis(1));
        assertThatThrownBy(() -> holder.does(() -> lock.lock()))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        unlockLost();
    }

    /** Every call of close returns only when the client is closed, also one that did not begin the close. */
    @Test
    void second_returnsWhenClosed() {
        CompletableFuture<?> first = beginClose(MINUTE);
        Worker closer = redis.worker();
        CompletableFuture<?> second = closer.begins(() -> client.close(MINUTE));
        awaitWaiting(closer);
        holder.does(lock::unlock);
        Patience.get(second);
        assertThat(client.isConnected()).isFalse();
        Patience.get(first);
    }

    /**
     * A close without grace does not wait for the grace of an earlier one, not even if the thread that holds the lock
     * calls it.
     */
    @Test
    void second_cutsTheGrace() {
        CompletableFuture<?> first = beginClose(MINUTE);
        holder.does(() -> client.close());
        assertThat(client.isConnected()).isFalse();
        Patience.get(first);
        unlockLost();
    }

    /** An interrupt neither ends nor shortens the wait for another thread's close, and the flag is kept. */
    @Test
    void second_interrupted() {
        CompletableFuture<?> first = beginClose(MINUTE);
        Worker interrupted = redis.worker();
        CompletableFuture<Boolean> second = interrupted.begins(() -> {
            Thread.currentThread().interrupt();
            client.close(MINUTE);
            return Thread.interrupted();
        });
        awaitWaiting(interrupted);
        holder.does(lock::unlock);
        assertThat(Patience.get(second)).isTrue();
        Patience.get(first);
    }

    /** A client may be closed from one of its own callbacks. */
    @Test
    void close_fromACallback() {
        CompletableFuture<Void> closed = lock.acquireAsync().thenAccept(lease -> client.close());
        holder.does(lock::unlock); // Not earlier: a callback of a completed future runs on the thread that attaches it.
        Patience.get(closed);
        assertThat(client.isConnected()).isFalse();
        assertThat(redis.server().command("DEL", redis.name())).isEqualTo(1L);
    }

    /** The same with a direct executor, on the thread of the timer, which publishes that a lease expired. */
    @Test
    void close_fromACallback_onTheTimer() {
        holder.does(lock::unlock);
        Holdfast direct = redis.connect(builder -> builder.callbackExecutor(Runnable::run));
        Lease lease = direct.getLock(redis.name()).acquire(Duration.ofMillis(100));
        CompletableFuture<String> closed = lease.lost().toCompletableFuture().thenApply(loss -> {
            direct.close();
            return Thread.currentThread().getName();
        });
        assertThat(Patience.get(closed)).startsWith("holdfast-timer");
        assertThat(direct.isConnected()).isFalse();
    }

    /** Begins the close, and waits until the client no longer grants anything new. */
    private CompletableFuture<?> beginClose(Duration grace) {
        CompletableFuture<?> closing = redis.worker().begins(() -> client.close(grace));
        DistributedLock another = client.getLock(redis.name() + " without holder");
        Patience.await().until(() -> {
            try {
                Lease lease = another.tryAcquire(Duration.ZERO).orElseThrow();
                lease.close();
                return false;
            } catch (IllegalStateException e) {
                return true;
            } catch (LockException e) {
                return false;
            }
        });
        assertThat(closing).isNotDone();
        return closing;
    }

    /** Waits until the thread blocks within a close. */
    private static void awaitWaiting(Worker closer) {
        Patience.await()
                .until(() -> closer.thread().getState() == Thread.State.TIMED_WAITING
                        && Stream.of(closer.thread().getStackTrace())
                                .anyMatch(frame -> frame.getClassName().equals(Closing.class.getName())));
    }

    private void unlockLost() {
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> holder.does(lock::unlock))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LossReason.CLOSED));
        redis.server().command("DEL", redis.name());
    }
}
