package dev.holdfast.campaign.run;

import dev.holdfast.campaign.worker.Answer;
import dev.holdfast.campaign.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The worker processes of a run, which are used for one round after the other. A spare process is ready to replace one
 * that is killed.
 */
final class Crew implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final Supplier<Worker> next;
    private final List<Worker> workers = new ArrayList<>();
    private final Thread endOfJvm = new Thread(this::killAll, "crew-cleanup");
    private Worker spare;
    private boolean spareIsReady;

    private Crew(int size, Supplier<Worker> next) {
        this.next = next;
        for (int i = 0; i < size; i++) {
            workers.add(next.get());
        }
        this.spare = next.get();
        Runtime.getRuntime().addShutdownHook(endOfJvm);
    }

    /**
     * Starts this number of processes and a spare one, and waits until they are ready.
     *
     * @param next starts a process
     */
    static Crew start(int size, Supplier<Worker> next) throws InterruptedException {
        Crew crew = new Crew(size, next);
        try {
            awaitReady(crew.workers);
            crew.awaitSpare();
            return crew;
        } catch (RuntimeException | InterruptedException e) {
            crew.close();
            throw e;
        }
    }

    /** Starts more processes if there are fewer than this number, and waits until they are ready. */
    void awaitSize(int size) throws InterruptedException {
        awaitReady(startedUpTo(size));
    }

    private static void awaitReady(List<Worker> started) throws InterruptedException {
        for (Worker worker : started) {
            worker.await(new Answer.Ready(), READY_WITHIN);
        }
    }

    private synchronized List<Worker> startedUpTo(int size) {
        int before = workers.size();
        while (workers.size() < size) {
            workers.add(next.get());
        }
        return List.copyOf(workers.subList(before, workers.size()));
    }

    Worker worker(int index) {
        return workers.get(index);
    }

    /** {@return the spare process, which replaces that worker} The next spare one is being started. */
    synchronized Worker replaced(int index) {
        workers.get(index).close();
        Worker successor = spare;
        workers.set(index, successor);
        spare = next.get();
        spareIsReady = false;
        return successor;
    }

    /** Waits until the spare process is ready. */
    void awaitSpare() throws InterruptedException {
        if (!spareIsReady) {
            spare.await(new Answer.Ready(), READY_WITHIN);
            spareIsReady = true;
        }
    }

    private synchronized void killAll() {
        workers.forEach(Worker::close);
        spare.close();
    }

    @Override
    public void close() {
        killAll();
        try {
            Runtime.getRuntime().removeShutdownHook(endOfJvm);
        } catch (IllegalStateException shuttingDown) {
            // The shutdown hook does the same.
        }
    }
}
