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
 * Threads that take a lock and give it back, over and over.
 *
 * @param system whose locks
 * @param threads how many
 * @param names whose lock each takes
 * @param hold how long each keeps it, zero for not at all
 * @param journaled whether every acquisition is noted in the journal
 */
public record Threads(LockSystem system, int threads, Names names, Duration hold, boolean journaled) implements Task {
    private static final long LONGEST_STOP_SECONDS = 20;

    /** Which lock a thread takes. */
    public enum Names {
        /** The one that all take. */
        SHARED,
        /** One of its own. */
        OWN
    }

    /** Threads that keep the lock for no longer than it takes to look who is inside. */
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
        private final LockClient client;
        private final Contenders contenders;
        private final List<Referee> referees = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();
        private final @Nullable Journal journal;

        Running(Threads task, Arena arena) {
            this.task = task;
            this.arena = arena;
            this.client = arena.connect(task.system);
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
            BlockingLock lock = client.lock(own ? "own-" + arena.contender(index) : "hot");
            Referee referee = referees.get(own ? index : 0);
            Contender contender = contenders.get(index);
            running.countDown();
            try {
                while (!contenders.isStopped()) {
                    contender.asks();
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
            contenders.shut(client);
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
            client.close();
        }
    }
}
