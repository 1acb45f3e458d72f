package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.system.AsyncLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.util.List;

/**
 * Waits for many names, each held by a {@link Holder}: begins to acquire all of them at the start, with one owner for
 * each. Its mark is the time of the last acquisition.
 */
public record Waiters(LockSystem system, int names) implements Task {
    private static final long LONGEST_WAIT_SECONDS = 30;

    @Override
    public Contest prepare(Arena arena) {
        return new Running(this, arena);
    }

    private static final class Running implements Contest {
        private final LockClient client;
        private final Batch acquires;
        private final Window window = new Window();
        private final LiveHeap heap = new LiveHeap();
        private long timers;

        Running(Waiters task, Arena arena) {
            client = arena.connect(task.system);
            AsyncLock unused = client.asyncLock("prelude", 1); // draws the owner ids
            acquires = new Batch(task.names);
        }

        @Override
        public void start() {
            heap.before();
            acquires.begin(
                    number -> client.asyncLock(Holder.name(number), number).lock());
        }

        /** All acquisitions wait by now, or have failed. */
        @Override
        public void open() {
            heap.after();
            timers = LiveObjects.timers(List.of(client));
            window.open();
        }

        /** Returns when all acquisitions have ended, or at the time limit. */
        @Override
        public void shut() throws InterruptedException {
            acquires.await(LONGEST_WAIT_SECONDS);
            window.shut();
        }

        @Override
        public Tally stop() {
            return Tally.of(window, acquires.marks(heap.grown(), timers));
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
