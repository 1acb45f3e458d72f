package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.time.Duration;
import java.util.List;

/**
 * Threads that contend for one lock, whose server or replica fails, and threads with other locks beside them, with one
 * client: how the latter are affected by the outage of the former. Counted are the acquisitions of the latter, and the
 * failed calls of the former, whose acquisitions are in the journal.
 *
 * @param system the system whose locks they use
 * @param affected the name of the lock that fails
 * @param beside the names of the other locks, one for each thread
 */
public record BesideOutage(LockSystem system, String affected, List<String> beside) implements Task {
    /** The number of threads whose lock fails. */
    public static final int AFFECTED = 4;

    private static final Duration HOLD = Duration.ofMillis(1);

    public BesideOutage {
        beside = List.copyOf(beside);
    }

    @Override
    public Contest prepare(Arena arena) {
        return new Running(this, arena);
    }

    private static final class Running implements Contest {
        private final Threads.Running affected;
        private final Threads.Running others;

        Running(BesideOutage task, Arena arena) {
            LockClient client = arena.connect(task.system);
            affected =
                    new Threads.Running(
                            new Threads(
                                    task.system,
                                    AFFECTED,
                                    Threads.Names.SHARED,
                                    HOLD,
                                    false,
                                    true,
                                    Threads.OnFailure.TRY_AGAIN),
                            arena,
                            List.of(client)) {
                        @Override
                        String name(int index) {
                            return task.affected;
                        }
                    };
            others =
                    new Threads.Running(
                            Threads.hurrying(task.system, task.beside.size(), Threads.Names.OWN),
                            arena,
                            List.of(client)) {
                        @Override
                        String name(int index) {
                            return task.beside.get(index);
                        }
                    };
        }

        @Override
        public void start() throws InterruptedException {
            affected.start();
            others.start();
        }

        @Override
        public void open() {
            affected.open();
            others.open();
        }

        @Override
        public void shut() {
            affected.shutWindow();
            others.shutWindow();
        }

        @Override
        public Tally stop() throws InterruptedException {
            long failed = affected.stop().marks().failed();
            Tally tally = others.stop();
            return tally.with(tally.marks().failed(failed));
        }

        /** The client is the same as that of the others. */
        @Override
        public void close() {
            affected.close();
        }
    }
}
