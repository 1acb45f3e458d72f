package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that acquire and release one read-write lock, over and over.
 *
 * @param system the system whose lock they use
 * @param threads the number of threads
 * @param reads of 100 acquisitions, how many read
 * @param hold how long each thread holds the lock; zero for no pause
 */
public record ReadersAndWriters(LockSystem system, int threads, int reads, Duration hold) implements Task {
    /** {@return threads that only read} */
    public static ReadersAndWriters readers(LockSystem system, int threads, Duration hold) {
        return new ReadersAndWriters(system, threads, 100, hold);
    }

    /** {@return threads that only write} */
    public static ReadersAndWriters writers(LockSystem system, int threads, Duration hold) {
        return new ReadersAndWriters(system, threads, 0, hold);
    }

    @Override
    public Contest prepare(Arena arena) {
        return new Running(this, arena, arena.connect(system));
    }

    static final class Running extends ThreadContest {
        private final ReadersAndWriters task;
        private final Arena arena;
        private final LockClient client;
        private final Referee referee;
        private final Contenders readers;
        private final Contenders writers;

        Running(ReadersAndWriters task, Arena arena, LockClient client) {
            super(task.threads);
            this.task = task;
            this.arena = arena;
            this.client = client;
            this.referee = arena.referee();
            this.readers = new Contenders(task.threads);
            this.writers = new Contenders(task.threads);
        }

        @Override
        List<LockClient> clients() {
            return List.of(client);
        }

        @Override
        List<Referee> referees() {
            return List.of(referee);
        }

        @Override
        Runnable step(int index) {
            BlockingLock readLock = client.sideOf(Threads.HOT, true);
            BlockingLock writeLock = client.sideOf(Threads.HOT, false);
            long number = arena.contender(index);
            return () -> {
                if (ThreadLocalRandom.current().nextInt(100) < task.reads) {
                    acquire(readLock, index, readers);
                    referee.enterToRead();
                    hold();
                    referee.leaveAsReader();
                    readLock.unlock();
                } else {
                    acquire(writeLock, index, writers);
                    referee.enterToWrite(number);
                    hold();
                    referee.leave(number);
                    writeLock.unlock();
                }
            };
        }

        private void acquire(BlockingLock lock, int index, Contenders side) {
            contenders().get(index).requested();
            side.get(index).requested();
            lock.lock();
            contenders().get(index).acquired();
            side.get(index).acquired();
        }

        /** A library may have unparked the thread before, so that it does not park. */
        private void hold() {
            long until = System.nanoTime() + task.hold.toNanos();
            for (long left = task.hold.toNanos(); left > 0; left = until - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }

        @Override
        public void open() {
            super.open();
            readers.open();
            writers.open();
        }

        @Override
        void shutWindow() {
            super.shutWindow();
            readers.shut();
            writers.shut();
        }

        @Override
        Tally sides(Tally tally) {
            return tally.withSides(readers.tally(List.of()), writers.tally(List.of()));
        }
    }
}
