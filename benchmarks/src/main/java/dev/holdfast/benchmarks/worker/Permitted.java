package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.Limit;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Threads of several clients that acquire and release permits of one semaphore, over and over.
 *
 * @param system the system whose semaphore they use
 * @param clients the number of clients
 * @param threads the number of threads of each client
 * @param segmented whether it is a segmented lock, and a permit one of its segments
 * @param limit how many permits there are
 * @param beside how many of them the first client holds one by one all the time, before the threads start
 * @param first how many permits the first thread requests; all others request one
 * @param hold how long each thread holds its permits; zero for no pause
 */
public record Permitted(
        LockSystem system, int clients, int threads, boolean segmented, int limit, int beside, int first, Duration hold)
        implements Task {
    private static final String NAME = "limit";

    @Override
    public Contest prepare(Arena arena) throws InterruptedException {
        List<LockClient> all =
                Stream.generate(() -> arena.connect(system)).limit(clients).toList();
        Limit permits = limit(all.get(0));
        for (int i = 0; i < beside; i++) {
            Runnable unused = permits.acquire(1);
        }
        return new Running(this, arena.referee(), all);
    }

    private Limit limit(LockClient client) {
        return segmented ? client.segments(NAME, limit) : client.limit(NAME, limit);
    }

    private static final class Running extends ThreadContest {
        private final Permitted task;
        private final Referee referee;
        private final List<LockClient> clients;

        Running(Permitted task, Referee referee, List<LockClient> clients) {
            super(task.clients * task.threads);
            this.task = task;
            this.referee = referee;
            this.clients = clients;
        }

        @Override
        List<LockClient> clients() {
            return clients;
        }

        @Override
        List<Referee> referees() {
            return List.of(referee);
        }

        @Override
        Runnable step(int index) {
            Limit permits = task.limit(clients.get(index / task.threads));
            int wanted = index == 0 ? task.first : 1;
            Contender contender = contenders().get(index);
            return () -> {
                contender.requested();
                Runnable release = acquired(permits, wanted);
                contender.acquired();
                referee.enterWith(wanted, task.limit - task.beside);
                hold();
                referee.leaveWith(wanted);
                release.run();
            };
        }

        private static Runnable acquired(Limit permits, int wanted) {
            try {
                return permits.acquire(wanted);
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a contender", e);
            }
        }

        /** A library may have unparked the thread before, so that it does not park. */
        private void hold() {
            long until = System.nanoTime() + task.hold.toNanos();
            for (long left = task.hold.toNanos(); left > 0; left = until - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }
}
