package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Conditions: what threads of several clients see. */
@Tag("client")
@SuppressWarnings({"WaitNotInLoop", "LockNotBeforeTry", "JavaUtilDate"}) // what one wait does is what is tested
final class ConditionTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Holdfast client = redis.briskClient();
    private final Holdfast rival = redis.briskClient();

    private DistributedLock lock() {
        return client.getLock(redis.name());
    }

    private DistributedLock rivals() {
        return rival.getLock(redis.name());
    }

    /** Begins to wait on a thread of its own. Returns when the thread has released the lock. */
    private CompletableFuture<?> waits(DistributedLock lock, String condition) {
        long before = inSets();
        CompletableFuture<?> waiting = redis.worker().begins(() -> {
            lock.lock();
            try {
                lock.getCondition(condition).await();
                assertThat(lock.isHeldByCurrentThread()).isTrue();
            } finally {
                lock.unlock();
            }
        });
        Patience.await().until(() -> inSets() == before + 1);
        return waiting;
    }

    /** {@return how many waiters are in wait sets} */
    private static long inSets() {
        Object fields = redis.server().command("HKEYS", "holdfast_condition:{" + redis.name() + "}");
        return fields instanceof List<?> all
                ? all.stream()
                        .filter(field -> String.valueOf(field).startsWith("owner:"))
                        .count()
                : 0;
    }

    private long spuriousWakeUps() {
        return client.stats().spuriousWakeUps() + rival.stats().spuriousWakeUps();
    }

    private static void holding(DistributedLock lock, Runnable action) {
        lock.runLocked(action);
    }

    // --- Signals.

    /** A signal wakes one waiter of another client, which holds the lock then. */
    @RealTime
    void signal_wakesOne() {
        long before = spuriousWakeUps();
        CompletableFuture<?> one = waits(lock(), "full");
        CompletableFuture<?> two = waits(rivals(), "full");
        holding(lock(), lock().getCondition("full")::signal);
        Patience.get(one);
        assertThat(two).isNotDone();
        assertThat(inSets()).isEqualTo(1);
        holding(lock(), lock().getCondition("full")::signal);
        Patience.get(two);
        assertThat(spuriousWakeUps()).isEqualTo(before);
    }

    /** Waiters are signalled in the order of their waits, over threads and clients. */
    @Test
    void signal_inOrder() {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int turn = i;
            all.add(waits(i % 3 == 0 ? lock() : rivals(), "full").thenRun(() -> order.add(turn)));
        }
        for (int i = 0; i < 6; i++) {
            holding(rivals(), rivals().getCondition("full")::signal);
            Patience.get(all.get(i));
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5);
    }

    /** Several signals of one hold wake as many; a signal is not stored, and a waiter does not receive its own. */
    @RealTime
    void signal_severalAndNone() throws Exception {
        DistributedLock lock = lock();
        Condition full = lock.getCondition("full");
        holding(lock, full::signal);
        CompletableFuture<?> one = waits(lock, "full");
        CompletableFuture<?> two = waits(rivals(), "full");
        CompletableFuture<?> three = waits(rivals(), "full");
        lock.lock();
        try {
            full.signal();
            full.signal();
            assertThat(full.await(300, TimeUnit.MILLISECONDS)).isFalse();
        } finally {
            lock.unlock();
        }
        Patience.get(one);
        Patience.get(two);
        assertThat(three).isNotDone();
        holding(lock, full::signalAll);
        Patience.get(three);
    }

    /** However many signals a hold has, Redis accepts their command. */
    @Test
    void signal_countless() {
        CompletableFuture<?> one = waits(rivals(), "full");
        holding(lock(), () -> {
            Condition full = lock().getCondition("full");
            for (int i = 0; i < 600_000; i++) {
                full.signal();
            }
        });
        Patience.get(one);
        assertThat(client.stats().reconnects()).isZero();
        assertThat(rival.stats().spuriousWakeUps()).isZero();
    }

    /** {@code signalAll} wakes all that wait for this condition, and no other. */
    @Test
    void signalAll_wakesAllOfIt() {
        CompletableFuture<?> one = waits(lock(), "full");
        CompletableFuture<?> two = waits(rivals(), "full");
        CompletableFuture<?> other = waits(rivals(), "empty");
        holding(lock(), lock().getCondition("full")::signalAll);
        Patience.get(one);
        Patience.get(two);
        assertThat(other).isNotDone();
        holding(lock(), lock().getCondition("empty")::signal);
        Patience.get(other);
    }

    /** The condition without a name is one, and its signal wakes all. */
    @Test
    void newCondition_isOne() {
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        for (DistributedLock lock : List.of(lock(), rivals())) {
            waiting.add(redis.worker()
                    .begins(() -> lock.runLocked(() -> lock.newCondition().awaitUninterruptibly())));
        }
        Patience.await().until(() -> inSets() == 2);
        holding(lock(), lock().newCondition()::signal);
        waiting.forEach(Patience::get);
    }

    // --- Waits.

    /** A timed wait that is not signalled ends in time, holding the lock; one that is returns true. */
    @Test
    void await_timed() throws Exception {
        DistributedLock lock = lock();
        Condition full = lock.getCondition("full");
        lock.lock();
        try {
            assertThat(full.await(100, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(full.awaitNanos(TimeUnit.MILLISECONDS.toNanos(100))).isNotPositive();
            assertThat(full.awaitUntil(new Date(System.currentTimeMillis() + 100)))
                    .isFalse();
            assertThat(full.await(-1, TimeUnit.MILLISECONDS)).isFalse();
            assertThat(full.awaitUntil(new Date(Long.MIN_VALUE))).isFalse();
            assertThat(lock.getHoldCount()).isEqualTo(1);
        } finally {
            lock.unlock();
        }
        assertThat(inSets()).isZero();
        CompletableFuture<Long> left = redis.worker().begins(() -> {
            lock.lock();
            try {
                return full.awaitNanos(TimeUnit.MINUTES.toNanos(1));
            } finally {
                lock.unlock();
            }
        });
        Patience.await().until(() -> inSets() == 1);
        holding(rivals(), rivals().getCondition("full")::signal);
        assertThat(Patience.get(left)).isBetween(1L, TimeUnit.MINUTES.toNanos(1));
    }

    /** An interrupt ends a wait, holding the lock; before the wait it does so at once; one that is uninterruptible goes on. */
    @Test
    void await_interrupted() {
        DistributedLock lock = lock();
        Worker worker = redis.worker();
        CompletableFuture<?> ended = worker.begins(() -> lock.callLocked(() -> {
            assertThatThrownBy(() -> lock.getCondition("full").await()).isInstanceOf(InterruptedException.class);
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lock.getCondition("full").await()).isInstanceOf(InterruptedException.class);
            return null;
        }));
        Patience.await().until(() -> inSets() == 1);
        worker.thread().interrupt();
        Patience.get(ended);
        CompletableFuture<?> deaf = worker.begins(() -> lock.runLocked(() -> {
            lock.getCondition("full").awaitUninterruptibly();
            assertThat(Thread.interrupted()).isTrue();
        }));
        Patience.await().until(() -> inSets() == 1);
        worker.thread().interrupt();
        holding(rivals(), rivals().getCondition("full")::signal);
        Patience.get(deaf);
    }

    /** All levels are released, and come back. */
    @Test
    void await_levels() {
        DistributedLock lock = lock();
        CompletableFuture<Integer> levels = redis.worker().begins(() -> {
            lock.lock();
            lock.lock();
            lock.lock();
            lock.getCondition("full").await();
            int restored = lock.getHoldCount();
            lock.unlock();
            lock.unlock();
            lock.unlock();
            return restored;
        });
        Patience.await().until(() -> inSets() == 1);
        holding(rivals(), rivals().getCondition("full")::signal);
        assertThat(Patience.get(levels)).isEqualTo(3);
        holding(rivals(), () -> {});
    }

    /** A fenced lock has a new token after a wait. */
    @Test
    void await_fenced() {
        FencedLock lock = client.getFencedLock(redis.name());
        FencedLock rivals = rival.getFencedLock(redis.name());
        CompletableFuture<Boolean> larger = redis.worker().begins(() -> {
            long before = lock.lockAndGetToken();
            lock.getCondition("full").await();
            long after = lock.getToken();
            lock.unlock();
            return after > before;
        });
        Patience.await().until(() -> inSets() == 1);
        holding(rivals, rivals.getCondition("full")::signal);
        assertThat(Patience.get(larger)).isTrue();
    }

    /** A write lock has conditions, but for a thread that reads; a read lock has none. */
    @Test
    void await_readWrite() {
        DistributedReadWriteLock both = client.getReadWriteLock(redis.name());
        DistributedLock write = both.writeLock();
        CompletableFuture<?> waiting = waits(write, "full");
        holding(
                rival.getReadWriteLock(redis.name()).writeLock(),
                rival.getReadWriteLock(redis.name()).writeLock().getCondition("full")::signal);
        Patience.get(waiting);
        assertThatThrownBy(() -> both.readLock().newCondition()).isInstanceOf(UnsupportedOperationException.class);
        write.runLocked(() -> both.readLock().runLocked(() -> assertThatThrownBy(
                        () -> write.getCondition("full").await())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("read lock")));
        both.readLock().runLocked(() -> assertThatThrownBy(
                        () -> write.getCondition("full").awaitUninterruptibly())
                .isInstanceOf(IllegalMonitorStateException.class));
    }

    /** Without the lock nobody waits or signals; a handle that has it is not the thread. */
    @Test
    void notHeld() {
        Condition full = lock().getCondition("full");
        for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call :
                List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                        full::await,
                        full::awaitUninterruptibly,
                        () -> full.awaitNanos(1),
                        () -> full.await(1, TimeUnit.SECONDS),
                        () -> full.awaitUntil(new Date()),
                        full::signal,
                        full::signalAll)) {
            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(call);
        }
        try (Lease lease = lock().acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThatExceptionOfType(IllegalMonitorStateException.class)
                    .isThrownBy(full::signal)
                    .withMessageContaining("lock()");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> lock().getCondition(" "));
    }

    /** A hold that was lost before the wait is reported, and the unlocks are paired. */
    @Test
    void await_lostBefore() {
        DistributedLock lock = lock();
        redis.worker().does(() -> {
            lock.lock();
            lock.lock();
            rivals().forceUnlock();
            assertThatThrownBy(() -> lock.getCondition("full").await()).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
        });
    }

    // --- Both.

    /** A bounded buffer with two conditions: each item arrives once, in order. */
    @RealTime
    void boundedBuffer() {
        long before = spuriousWakeUps();
        int items = 200;
        Queue<Integer> buffer = new ArrayDeque<>();
        List<Integer> taken = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<?>> ends = new ArrayList<>();
        DistributedLock put = lock();
        DistributedLock take = rivals();
        ends.add(redis.worker().begins(() -> {
            for (int i = 0; i < items; i++) {
                put.lock();
                try {
                    while (buffer.size() == 3) {
                        put.getCondition("not full").await();
                    }
                    buffer.add(i);
                    put.getCondition("not empty").signal();
                } finally {
                    put.unlock();
                }
            }
        }));
        ends.add(redis.worker().begins(() -> {
            while (taken.size() < items) {
                take.lock();
                try {
                    while (buffer.isEmpty()) {
                        take.getCondition("not empty").await();
                    }
                    taken.add(buffer.remove());
                    take.getCondition("not full").signal();
                } finally {
                    take.unlock();
                }
            }
        }));
        ends.forEach(Patience::get);
        assertThat(taken).hasSize(items).isSorted();
        assertThat(spuriousWakeUps()).isEqualTo(before);
    }

    /** Ends of waits and signals at the same moment: no signal is lost, and none counts twice. */
    @RealTime
    void signal_againstTimeout() {
        long before = spuriousWakeUps();
        DistributedLock lock = lock();
        DistributedLock rivals = rivals();
        Worker impatient = redis.worker();
        Worker patient = redis.worker();
        long longest = TimeUnit.MILLISECONDS.toNanos(30);
        for (int i = 0; i < 60; i++) {
            AtomicLong end = new AtomicLong();
            CompletableFuture<Boolean> timed = impatient.begins(() -> lock.callLocked(() -> {
                end.set(System.nanoTime() + longest);
                return lock.getCondition("full").await(longest, TimeUnit.NANOSECONDS);
            }));
            Patience.await().pollInterval(Duration.ofMillis(1)).until(() -> inSets() == 1 || timed.isDone());
            CompletableFuture<Boolean> second = patient.begins(
                    () -> rivals.callLocked(() -> rivals.getCondition("full").await(5, TimeUnit.SECONDS)));
            Patience.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> inSets() == 2 || (timed.isDone() && inSets() == 1));
            long late = (i % 31 - 10) * 100_000L;
            holding(lock, () -> {
                lock.getCondition("full").signal();
                LockSupport.parkNanos(end.get() + late - System.nanoTime());
            });
            boolean woken = Patience.get(timed);
            if (woken) {
                assertThat(second).isNotDone();
                holding(lock, lock.getCondition("full")::signal);
            }
            assertThat(Patience.get(second)).isTrue();
        }
        assertThat(spuriousWakeUps()).isEqualTo(before);
    }

    /** Interrupts and signals at the same moment: a waiter that is interrupted leaves the signal to the next, another one has it. */
    @RealTime
    void signal_againstInterrupt() {
        long before = spuriousWakeUps();
        DistributedLock lock = lock();
        DistributedLock rivals = rivals();
        Worker interrupted = redis.worker();
        Worker patient = redis.worker();
        Worker signaller = redis.worker();
        for (int i = 0; i < 60; i++) {
            CompletableFuture<Boolean> first = interrupted.begins(() -> lock.callLocked(() -> {
                try {
                    lock.getCondition("full").await();
                    return true;
                } catch (InterruptedException e) {
                    return false;
                }
            }));
            Patience.await().until(() -> inSets() == 1);
            CompletableFuture<Boolean> second = patient.begins(
                    () -> rivals.callLocked(() -> rivals.getCondition("full").await(5, TimeUnit.SECONDS)));
            Patience.await().until(() -> inSets() == 2);
            CompletableFuture<?> signal = signaller.begins(() -> holding(rivals, rivals.getCondition("full")::signal));
            LockSupport.parkNanos(i % 20 * 50_000L);
            interrupted.thread().interrupt();
            Patience.get(signal);
            boolean woken = Patience.get(first);
            if (woken) {
                assertThat(second).isNotDone();
                assertThat(inSets()).isEqualTo(1);
                holding(lock, lock.getCondition("full")::signal);
            }
            assertThat(Patience.get(second)).isTrue();
        }
        assertThat(spuriousWakeUps()).isEqualTo(before);
    }

    /** Very short waits of many threads, some of which signal: each gets the lock again, and no more are woken than were signalled. */
    @Test
    void await_shortUnderContention() {
        AtomicInteger signals = new AtomicInteger();
        AtomicInteger woken = new AtomicInteger();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            DistributedLock lock = i % 2 == 0 ? lock() : rivals();
            Condition full = lock.getCondition("full");
            ends.add(redis.worker().begins(() -> {
                for (int round = 0; round < 20; round++) {
                    lock.lock();
                    try {
                        if (round % 3 == 0) {
                            full.signal();
                            signals.incrementAndGet();
                        }
                        woken.addAndGet(full.await(1, TimeUnit.MILLISECONDS) ? 1 : 0);
                        assertThat(lock.isHeldByCurrentThread()).isTrue();
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        ends.forEach(Patience::get);
        long unsignalled = client.stats().spuriousWakeUps() + rival.stats().spuriousWakeUps();
        assertThat(woken.get()).isBetween(1, signals.get() + (int) unsignalled);
        assertThat(inSets()).isZero();
    }

    /** Closing the client ends the waits; the levels are those of a lost hold. */
    @Test
    void await_closed() {
        Holdfast closing = redis.briskClient();
        DistributedLock lock = closing.getLock(redis.name());
        CompletableFuture<?> waiting = redis.worker().begins(() -> {
            lock.lock();
            lock.lock();
            assertThatThrownBy(() -> lock.getCondition("full").await())
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("closed");
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        });
        Patience.await().until(() -> inSets() == 1);
        Patience.await().until(() -> !rivals().isLocked());
        closing.close();
        Patience.get(waiting);
    }
}
