package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.Limit;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/**
 * Makes many of one thing, such as holds. Its marks are the growth of the heap by all of them, and the number of waiters
 * that wait no longer. A tenth as many have been made before, so that the classes and caches that all have in common are
 * not counted.
 */
public record Heap(LockSystem system, Part part, int count) implements Task {
    /** What is made. */
    public enum Part {
        /** Holds of as many locks. */
        HOLDS,
        /** Owners that wait for one lock. */
        WAITERS_OF_ONE,
        /** Owners that wait for a lock each. */
        WAITERS,
        /** Clients, each of which has acquired and released a lock. */
        CLIENTS,
        /** Names of locks that were acquired and released once. */
        NAMES,
        /** Read holds of one lock. */
        READERS,
        /** Permits of one semaphore, acquired one by one, with what their caller keeps. */
        PERMITS
    }

    private static final int AT_A_TIME = 256;

    @Override
    public Contest prepare(Arena arena) throws InterruptedException {
        return new Running(this, arena);
    }

    private static final class Running implements Contest {
        private final Heap task;
        private final Arena arena;
        private final LockClient client;
        private final LockClient holder;
        private final int before;
        private final List<Object> kept;
        private final List<Batch> waits = new ArrayList<>();
        private final Window window = new Window();
        private final LiveHeap heap = new LiveHeap();

        Running(Heap task, Arena arena) throws InterruptedException {
            this.task = task;
            this.arena = arena;
            client = arena.connect(task.system);
            holder = arena.connect(task.system);
            before = Math.max(1, task.count / 10);
            kept = new ArrayList<>(before + task.count);
            if (task.part == Part.WAITERS) {
                run(before + task.count, 0, number -> lock(holder, number));
            } else if (task.part == Part.WAITERS_OF_ONE) {
                run(1, 0, number -> lock(holder, number));
            }
            make(before, 0);
        }

        private String name(long number) {
            return task.part + "-" + (task.part == Part.WAITERS_OF_ONE ? 1 : number);
        }

        private CompletionStage<?> lock(LockClient by, long number) {
            return by.asyncLock(name(number), number).lock();
        }

        private void make(int count, int from) throws InterruptedException {
            switch (task.part) {
                case HOLDS -> run(count, from, number -> lock(client, number));
                case READERS ->
                    run(count, from, number -> client.asyncReader("read", number)
                            .lock());
                case WAITERS, WAITERS_OF_ONE -> {
                    Batch batch = new Batch(count);
                    batch.begin(number -> lock(client, from + number));
                    waits.add(batch);
                }
                case CLIENTS -> {
                    for (int i = 0; i < count; i++) {
                        kept.add(arena.connect(task.system));
                    }
                }
                case NAMES -> {
                    for (int i = 1; i <= count; i++) {
                        BlockingLock lock = client.lock(name(from + i));
                        lock.lock();
                        lock.unlock();
                    }
                }
                case PERMITS -> {
                    Limit limit = client.limit("permits", before + task.count);
                    for (int i = 0; i < count; i++) {
                        kept.add(limit.acquire(1));
                    }
                }
            }
        }

        private static void run(int count, int from, LongFunction<CompletionStage<?>> call)
                throws InterruptedException {
            Batch batch = new Batch(count);
            batch.run(number -> call.apply(from + number), AT_A_TIME);
            Marks end = batch.marks(0, 0);
            if (end.failed() > 0) {
                throw new IllegalStateException(end.failed() + " of " + count + " failed: " + end.why());
            }
        }

        @Override
        public void start() throws InterruptedException {
            heap.before();
            make(task.count, before);
        }

        /** All calls wait by now, or have ended. */
        @Override
        public void open() {
            heap.after();
            window.open();
        }

        @Override
        public void shut() {
            window.shut();
        }

        @Override
        public Tally stop() {
            Marks waiting = waits.isEmpty()
                    ? Marks.of(0, 0)
                    : waits.get(waits.size() - 1).marks(0, 0);
            return Tally.of(window, waiting.failed(ended()).heap(heap.grown()));
        }

        private long ended() {
            return waits.stream().mapToLong(Batch::ended).sum();
        }

        /** The process ends, and with it whatever there is. */
        @Override
        public void close() {}
    }
}
