package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Threads of one client that wait for one condition, from the start until it is stopped. Each of them has had the lock before, and one
 * thread has waited, so that the mark, the growth of the heap, is that of the waits alone.
 */
public record ConditionWaiters(LockSystem system, int threads) implements Task {
    private static final String NAME = "condition";
    private static final long LONGEST_WAIT_SECONDS = 30;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    @Override
    public Contest prepare(Arena arena) {
        return new Running(this, arena.connect(system));
    }

    private static final class Running implements Contest {
        private final LockClient client;
        private final BlockingLock lock;
        private final Condition change;
        private final List<Thread> threads;
        private final CountDownLatch ready;
        private final CountDownLatch beginning = new CountDownLatch(1);
        private final Window window = new Window();
        private final LiveHeap heap = new LiveHeap();

        /** How many wait, or have the lock and are about to. */
        private final AtomicInteger waiting = new AtomicInteger();

        private final AtomicInteger failed = new AtomicInteger();
        private volatile boolean changed;

        Running(ConditionWaiters task, LockClient client) {
            this.client = client;
            lock = client.lock(NAME);
            change = client.condition(NAME, "change");
            threads = IntStream.range(0, task.threads)
                    .mapToObj(i -> new Thread(this::await, "waiter-" + i))
                    .toList();
            ready = new CountDownLatch(task.threads);
        }

        private void await() {
            try {
                lock.lock();
                lock.unlock();
                ready.countDown();
                beginning.await();
                lock.lock();
                try {
                    waiting.incrementAndGet();
                    while (!changed) {
                        change.await();
                    }
                } finally {
                    lock.unlock();
                }
            } catch (RuntimeException | InterruptedException e) {
                failed.incrementAndGet();
            }
        }

        @Override
        @SuppressWarnings("WaitNotInLoop") // the first wait is for its time to be over
        public void start() throws InterruptedException {
            lock.lock();
            boolean signalled = change.await(1, TimeUnit.MILLISECONDS);
            lock.unlock();
            if (signalled) {
                throw new IllegalStateException("nobody has signalled yet");
            }
            threads.forEach(thread -> {
                thread.setDaemon(true);
                thread.start();
            });
            ready.await();
            heap.before();
            beginning.countDown();
            awaitWaiting();
            heap.after();
        }

        /** A thread that has counted itself releases the lock only to wait. */
        private void awaitWaiting() {
            boolean isDone = false;
            while (!isDone) {
                LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
                lock.lock();
                isDone = waiting.get() + failed.get() == threads.size();
                lock.unlock();
            }
        }

        @Override
        public void open() {
            window.open();
        }

        @Override
        public void shut() {
            window.shut();
        }

        @Override
        public Tally stop() throws InterruptedException {
            long timers = LiveObjects.timers(List.of(client));
            lock.lock();
            changed = true;
            change.signalAll();
            lock.unlock();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_WAIT_SECONDS);
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            }
            long late = threads.stream().filter(Thread::isAlive).count();
            return Tally.of(window, Marks.of(timers, failed.get() + late).heap(heap.grown()));
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
