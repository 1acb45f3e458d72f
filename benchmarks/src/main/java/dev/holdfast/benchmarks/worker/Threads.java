package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that acquire and release a lock, over and over.
 *
 * @param system the system whose locks they use
 * @param threads the number of threads
 * @param names whether they share one lock, and one client
 * @param hold how long each thread holds the lock; zero for no pause
 * @param journaled whether every acquisition is recorded in the journal
 */
public record Threads(LockSystem system, int threads, Names names, Duration hold, boolean journaled) implements Task {
    private static final long LONGEST_STOP_SECONDS = 20;

    /** The lock that a thread acquires. */
    public enum Names {
        /** One lock for all threads. */
        SHARED,
        /** A lock of its own for each thread. */
        OWN,
        /** One lock for all threads, and a client for each thread. */
        CROWD
    }

    /** Threads that hold the lock only for the check of exclusion. */
    public static Threads hurrying(LockSystem system, int threads, Names names) {
        return new Threads(system, threads, names, Duration.ZERO, false);
    }

    @Override
    public Contest prepare(Arena arena) {
        return new Running(this, arena);
    }

    private static final class Running implements Contest {
        private final Threads task;
        private final Arena arena;
        private final List<LockClient> clients = new ArrayList<>();
        private final Contenders contenders;
        private final List<Referee> referees = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();
        private final @Nullable Journal journal;

        Running(Threads task, Arena arena) {
            this.task = task;
            this.arena = arena;
            for (int i = 0; i < (task.names == Names.CROWD ? task.threads : 1); i++) {
                clients.add(arena.connect(task.system));
            }
            this.contenders = new Contenders(task.threads);
            this.journal = task.journaled ? arena.journal() : null;
            for (int i = 0; i < (task.names == Names.OWN ? task.threads : 1); i++) {
                referees.add(task.names == Names.OWN ? Referee.local() : arena.referee());
            }
        }

        @Override
        public void start() throws InterruptedException {
            CountDownLatch running = new CountDownLatch(task.threads);
            for (int i = 0; i < task.threads; i++) {
                int index = i;
                Thread thread = new Thread(() -> contend(index, running), "contender-" + index);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
            running.await();
        }

        private void contend(int index, CountDownLatch running) {
            boolean own = task.names == Names.OWN;
            LockClient client = clients.get(task.names == Names.CROWD ? index : 0);
            BlockingLock lock = client.lock(own ? "own-" + arena.contender(index) : "hot");
            Referee referee = referees.get(own ? index : 0);
            Contender contender = contenders.get(index);
            running.countDown();
            try {
                while (!contenders.isStopped()) {
                    contender.requested();
                    lock.lock();
                    long entered = contender.acquired();
                    referee.enter(arena.contender(index));
                    hold();
                    referee.leave(arena.contender(index));
                    if (journal != null) {
                        journal.add(new Journal.Entry(arena.worker(), entered, System.nanoTime()));
                    }
                    lock.unlock();
                }
            } catch (RuntimeException e) {
                contenders.failed(e);
            }
        }

        private void hold() {
            if (!task.hold.isZero()) {
                LockSupport.parkNanos(task.hold.toNanos());
            }
        }

        @Override
        public void open() {
            contenders.open();
        }

        @Override
        public void shut() {
            contenders.shut(clients.toArray(LockClient[]::new));
        }

        @Override
        public Tally stop() throws InterruptedException {
            contenders.stop();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_STOP_SECONDS);
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            }
            return contenders.tally(referees);
        }

        @Override
        public void close() {
            clients.forEach(LockClient::close);
        }
    }
}
