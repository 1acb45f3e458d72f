package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Threads that acquire and release a lock, over and over.
 *
 * @param system the system whose locks they use
 * @param threads the number of threads
 * @param names whether they share one lock, and one client
 * @param hold how long each thread holds the lock; zero for no pause
 * @param busy whether it keeps the processor busy for that time; a thread that parks is late by the time that the system
 *     needs to wake it, which is as long as a section of a fraction of a millisecond
 * @param journaled whether every acquisition is recorded in the journal
 * @param onFailure what a thread does when a call has failed
 */
public record Threads(
        LockSystem system,
        int threads,
        Names names,
        Duration hold,
        boolean busy,
        boolean journaled,
        OnFailure onFailure)
        implements Task {
    /** The name of the lock that threads share. */
    public static final String HOT = "hot";

    /** The lock that a thread acquires. */
    public enum Names {
        /** One lock for all threads. */
        SHARED,
        /** A lock of its own for each thread. */
        OWN,
        /** One lock for all threads, and a client for each thread. */
        CROWD,
        /** One lock for all threads, which is a fair one. */
        FAIR
    }

    /** What a thread does when a call has failed. */
    public enum OnFailure {
        /** It stops, as do all others, and the measurement has failed. */
        STOP,
        /** It tries again soon, and the failure is counted. */
        TRY_AGAIN
    }

    /** How long a thread whose call has failed does nothing. */
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(10);

    /** Threads whose calls do not fail. */
    public Threads(LockSystem system, int threads, Names names, Duration hold, boolean journaled) {
        this(system, threads, names, hold, false, journaled, OnFailure.STOP);
    }

    /** Threads that share a lock, and work for this time under it. */
    public static Threads working(LockSystem system, int threads, Duration section) {
        return new Threads(system, threads, Names.SHARED, section, !section.isZero(), false, OnFailure.STOP);
    }

    /** Threads that hold the lock only for the check of exclusion. */
    public static Threads hurrying(LockSystem system, int threads, Names names) {
        return new Threads(system, threads, names, Duration.ZERO, false);
    }

    @Override
    public Contest prepare(Arena arena) {
        return new Running(
                this,
                arena,
                Stream.generate(() -> arena.connect(system))
                        .limit(names == Names.CROWD ? threads : 1)
                        .toList());
    }

    static class Running extends ThreadContest {
        private final Threads task;
        private final Arena arena;
        private final List<LockClient> clients;
        private final List<Referee> referees;
        private final @Nullable Journal journal;

        Running(Threads task, Arena arena, List<LockClient> clients) {
            super(task.threads);
            this.task = task;
            this.arena = arena;
            this.clients = clients;
            this.journal = task.journaled ? arena.journal() : null;
            Supplier<Referee> referee = task.names == Names.OWN ? Referee::local : arena::referee;
            this.referees = Stream.generate(referee)
                    .limit(task.names == Names.OWN ? task.threads : 1)
                    .toList();
        }

        @Override
        final List<LockClient> clients() {
            return clients;
        }

        @Override
        final List<Referee> referees() {
            return referees;
        }

        @Override
        final Runnable step(int index) {
            boolean own = task.names == Names.OWN;
            long number = arena.contender(index);
            LockClient client = clients.get(task.names == Names.CROWD ? index : 0);
            BlockingLock lock = task.names == Names.FAIR ? client.fairLock(name(index)) : client.lock(name(index));
            Referee referee = referees.get(own ? index : 0);
            Contender contender = contenders().get(index);
            return () -> {
                long requested = contender.requested();
                lock.lock();
                long entered = contender.acquired();
                referee.enter(number);
                hold();
                referee.leave(number);
                if (journal != null) {
                    journal.add(new Journal.Entry(arena.worker(), requested, entered, System.nanoTime()));
                }
                lock.unlock();
            };
        }

        /** {@return the name of the lock that the thread with this index acquires} */
        String name(int index) {
            return task.names == Names.OWN ? "own-" + arena.contender(index) : HOT;
        }

        private void hold() {
            if (task.busy) {
                long end = System.nanoTime() + task.hold.toNanos();
                while (System.nanoTime() - end < 0) {
                    Thread.onSpinWait();
                }
            } else if (!task.hold.isZero()) {
                LockSupport.parkNanos(task.hold.toNanos());
            }
        }

        @Override
        final void failed(RuntimeException why) {
            if (task.onFailure == OnFailure.STOP) {
                super.failed(why);
                return;
            }
            contenders().failedCall();
            LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
        }
    }
}
