package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.system.AsyncLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.util.List;

/**
 * Holds many names: acquires all of them at the start, and releases all of them at once when it is stopped.
 *
 * <p>Its mark is the time just before the first release.
 */
public record Holder(LockSystem system, int names) implements Task {
    /** How many calls are in flight while locks are acquired. */
    private static final int AT_A_TIME = 256;

    private static final long LONGEST_RELEASE_SECONDS = 30;

    static String name(long number) {
        return "name-" + number;
    }

    @Override
    public Contest prepare(Arena arena) {
        return new Running(this, arena);
    }

    private static final class Running implements Contest {
        private final Holder task;
        private final LockClient client;
        private final Window window = new Window();
        private final LiveHeap heap = new LiveHeap();
        private long timers;

        Running(Holder task, Arena arena) {
            this.task = task;
            client = arena.connect(task.system);
            AsyncLock unused = client.asyncLock("prelude", 1); // draws the owner ids
        }

        @Override
        public void start() throws InterruptedException {
            heap.before();
            Batch acquires = new Batch(task.names);
            acquires.run(number -> client.asyncLock(name(number), number).lock(), AT_A_TIME);
            Marks end = acquires.marks(0, 0);
            if (end.failed() > 0) {
                throw new IllegalStateException(end.failed() + " of " + task.names + " failed: " + end.why());
            }
            heap.after();
        }

        @Override
        public void open() {
            window.open();
        }

        @Override
        public void shut() {
            window.shut();
            timers = LiveObjects.timers(List.of(client));
        }

        @Override
        public Tally stop() throws InterruptedException {
            Batch releases = new Batch(task.names);
            long first = System.nanoTime();
            releases.begin(number -> client.asyncLock(name(number), number).unlock());
            releases.await(LONGEST_RELEASE_SECONDS);
            return Tally.of(window, releases.marks(heap.grown(), timers).at(first));
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
