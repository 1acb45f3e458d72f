package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.util.List;

/**
 * Owners that are not threads, and threads beside them in the same process, on locks of their own: how the latter are
 * affected by the former. Counted are the acquisitions of the threads; its mark is the number of those of the owners.
 *
 * @param system the system whose locks they use
 * @param owners how many calls are in flight
 * @param threads the number of threads
 */
public record Beside(LockSystem system, int owners, int threads) implements Task {
    @Override
    public Contest prepare(Arena arena) {
        return new Running(this, arena);
    }

    private static final class Running implements Contest {
        private final Chains.Running inFlight;
        private final Threads.Running beside;

        Running(Beside task, Arena arena) {
            LockClient client = arena.connect(task.system);
            inFlight = new Chains.Running(client, LockSystem.SELECTED_NAMES, task.owners);
            beside = new Threads.Running(
                    Threads.hurrying(task.system, task.threads, Threads.Names.OWN), arena, List.of(client));
        }

        @Override
        public void start() throws InterruptedException {
            inFlight.start();
            beside.start();
        }

        @Override
        public void open() {
            inFlight.open();
            beside.open();
        }

        @Override
        public void shut() {
            inFlight.shutWindow();
            beside.shutWindow();
        }

        @Override
        public Tally stop() throws InterruptedException {
            long done = inFlight.stop().total();
            Tally tally = beside.stop();
            return tally.with(tally.marks().done(done));
        }

        /** The clients are the same as those of the threads. */
        @Override
        public void close() {
            inFlight.close();
        }
    }
}
