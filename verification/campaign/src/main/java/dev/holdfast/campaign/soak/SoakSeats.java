package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.nemesis.Victim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The processes of a leg, with the same number of clients each. Confined to one thread. */
final class SoakSeats implements AutoCloseable {
    /** In a process that has just been started. */
    private static final Duration OPENED_WITHIN = Duration.ofMinutes(2);

    /** Longer than a turn may take, and then until nothing is in use. */
    private static final Duration RESTED_WITHIN = Duration.ofMinutes(2);

    private final Pace pace;
    private final Supplier<SoakWorker> next;
    private final List<String> uris;
    private final List<SoakWorker> workers = new ArrayList<>();
    private final List<Integer> generations = new ArrayList<>();

    private SoakSeats(Pace pace, Supplier<SoakWorker> next, List<String> uris) {
        this.pace = pace;
        this.next = next;
        this.uris = uris;
    }

    /**
     * {@return the processes, with all their clients}
     *
     * @param next starts a process
     * @param uris one for each client
     */
    static SoakSeats open(Pace pace, Supplier<SoakWorker> next, List<String> uris) throws InterruptedException {
        SoakSeats seats = new SoakSeats(pace, next, uris);
        try {
            for (int process = 0; process < Pace.PROCESSES; process++) {
                seats.workers.add(next.get());
                seats.generations.add(0);
            }
            for (int client = 0; client < Pace.CLIENTS; client++) {
                seats.open(client);
            }
            return seats;
        } catch (InterruptedException | RuntimeException e) {
            seats.close();
            throw e;
        }
    }

    List<Victim> victims() {
        return IntStream.range(0, Pace.CLIENTS)
                .<Victim>mapToObj(client -> new SoakSeat(client, this))
                .toList();
    }

    /** {@return the process of a client} */
    SoakWorker worker(int client) {
        return workers.get(client / Pace.PER_PROCESS);
    }

    /** Opens a client. */
    void open(int client) throws InterruptedException {
        SoakWorker worker = worker(client);
        worker.send(new SoakOrder.Open(
                client,
                uris.get(client),
                pace.watchdogTimeout().toMillis(),
                pace.pause().toMillis()));
        worker.await(SoakAnswer.Opened.class, OPENED_WITHIN);
    }

    /** Starts a process in place of that of a client, which was killed. */
    void replace(int client) throws InterruptedException {
        int process = client / Pace.PER_PROCESS;
        workers.set(process, next.get());
        generations.set(process, generations.get(process) + 1);
        for (int i = 0; i < Pace.PER_PROCESS; i++) {
            open(process * Pace.PER_PROCESS + i);
        }
    }

    /** {@return the needs of all processes, in which all actors are at rest} */
    List<SoakAnswer.Rested> rest() throws InterruptedException {
        for (SoakWorker worker : workers) {
            worker.send(new SoakOrder.Rest());
        }
        List<SoakAnswer.Rested> rested = new ArrayList<>();
        for (SoakWorker worker : workers) {
            rested.add(worker.await(SoakAnswer.Rested.class, RESTED_WITHIN));
        }
        return rested;
    }

    /** The actors continue. */
    void resume() {
        workers.forEach(worker -> worker.send(new SoakOrder.Resume()));
    }

    /** {@return the name of a process and its generation} */
    String series(int process) {
        return process + "." + generations.get(process);
    }

    @Override
    public void close() {
        workers.forEach(SoakWorker::close);
    }
}
