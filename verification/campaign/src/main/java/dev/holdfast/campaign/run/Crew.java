package dev.holdfast.campaign.run;

import dev.holdfast.campaign.worker.Answer;
import dev.holdfast.campaign.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The worker processes of a run, which are used for one round after the other. A spare process is ready to replace one
 * that is killed.
 */
final class Crew implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final Supplier<Worker> next;
    private final Map<Integer, Worker> workers = new HashMap<>();
    private final Thread endOfJvm = new Thread(this::killAll, "crew-cleanup");
    /** Null until the first process is needed. */
    private @Nullable Worker spare;

    private boolean spareIsReady;

    /** @param next starts a process */
    Crew(Supplier<Worker> next) {
        this.next = next;
        Runtime.getRuntime().addShutdownHook(endOfJvm);
    }

    /** Starts a process for each of these clients that has none, and a spare one, and waits until all are ready. */
    void await(Collection<Integer> clients) throws InterruptedException {
        if (clients.isEmpty()) {
            return;
        }
        for (Worker worker : started(clients)) {
            worker.await(new Answer.Ready(), READY_WITHIN);
        }
        awaitSpare();
    }

    private synchronized List<Worker> started(Collection<Integer> clients) {
        List<Worker> started = new ArrayList<>();
        for (int client : clients) {
            if (!workers.containsKey(client)) {
                Worker worker = next.get();
                workers.put(client, worker);
                started.add(worker);
            }
        }
        if (spare == null) {
            spare = next.get();
        }
        return started;
    }

    /** {@return the process of this client, which was {@linkplain #await awaited}} */
    synchronized Worker worker(int client) {
        return Objects.requireNonNull(workers.get(client), "the process of a client must have been awaited");
    }

    /** {@return the spare process, which replaces that of this client} The next spare one is being started. */
    synchronized Worker replaced(int client) {
        worker(client).close();
        Worker successor = awaited();
        workers.put(client, successor);
        spare = next.get();
        spareIsReady = false;
        return successor;
    }

    private Worker awaited() {
        return Objects.requireNonNull(spare, "a spare process must have been awaited");
    }

    /** Waits until the spare process is ready. */
    void awaitSpare() throws InterruptedException {
        if (!spareIsReady) {
            awaited().await(new Answer.Ready(), READY_WITHIN);
            spareIsReady = true;
        }
    }

    private synchronized void killAll() {
        workers.values().forEach(Worker::close);
        if (spare != null) {
            spare.close();
        }
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
