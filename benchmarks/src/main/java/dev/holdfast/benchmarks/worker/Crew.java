package dev.holdfast.benchmarks.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * The workers of one measurement. They enter each phase together. When the measurement takes too long, the workers are
 * killed, and a call that waits for them throws.
 */
public final class Crew implements AutoCloseable {
    private final List<Worker> workers = new CopyOnWriteArrayList<>();
    /** Completed with true when the measurement has ended in time, and with false at the time limit. */
    private final CompletableFuture<Boolean> over;

    private final CompletableFuture<Boolean> gone;
    private final Thread endOfJvm = new Thread(() -> workers.forEach(Worker::close), "crew-cleanup");

    private Crew(Duration limit) {
        over = new CompletableFuture<Boolean>().completeOnTimeout(false, limit.toMillis(), TimeUnit.MILLISECONDS);
        gone = over.whenComplete((inTime, failure) -> workers.forEach(Worker::close));
        Runtime.getRuntime().addShutdownHook(endOfJvm);
    }

    /**
     * Starts a worker for each task, and waits until all are prepared.
     *
     * @param classPath the class path of the workers
     * @param uris the addresses of the Redis to use; see {@link Arena}
     * @param directory the directory of this measurement
     * @param limit the longest time that they may live
     */
    public static Crew prepare(
            String classPath,
            List<String> uris,
            Path directory,
            Duration watchdogTimeout,
            Duration limit,
            List<Task> tasks) {
        Crew crew = new Crew(limit);
        try {
            for (Task task : tasks) {
                Arena arena = new Arena(uris, directory.toString(), crew.workers.size(), watchdogTimeout);
                crew.workers.add(Worker.start(classPath, arena, task, directory.resolve("workers.log")));
            }
            crew.run(Phase.PREPARE);
            return crew;
        } catch (RuntimeException e) {
            crew.close();
            throw e;
        }
    }

    /** {@return the worker of the task with this index} */
    public Worker worker(int index) {
        return workers.get(index);
    }

    /** Runs a phase in all workers, and returns when all have ended it. */
    public void run(Phase phase) {
        workers.forEach(worker -> worker.send(phase));
        workers.forEach(Worker::await);
    }

    /** {@return the tally of each worker, after all were stopped} */
    public List<Tally> stop() {
        workers.forEach(worker -> worker.send(Phase.STOP));
        return workers.stream().map(Worker::tally).toList();
    }

    @Override
    public void close() {
        over.complete(true);
        gone.join();
        try {
            Runtime.getRuntime().removeShutdownHook(endOfJvm);
        } catch (IllegalStateException shuttingDown) {
            // The hook does the same.
        }
    }
}
