package dev.holdfast.campaign.run;

import dev.holdfast.campaign.nemesis.Victim;
import dev.holdfast.campaign.worker.Answer;
import dev.holdfast.campaign.worker.Order;
import dev.holdfast.campaign.worker.Worker;
import dev.holdfast.campaign.worker.Worker.StuckException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The place of one client in a round, and the process that currently has it: after a kill, another one. */
final class Seat implements Victim {
    private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(30);
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(30);

    private final Crew crew;
    private final int client;
    private final long seed;
    private final String redisUri;
    private final Path directory;
    private final List<Path> journals = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private Worker worker;
    private String process = "";
    private int generation;
    private boolean begun;

    /** @param seed the seed of the round */
    Seat(Crew crew, int client, long seed, String redisUri, Path directory) {
        this.crew = crew;
        this.client = client;
        this.seed = seed;
        this.redisUri = redisUri;
        this.directory = directory;
        this.worker = crew.worker(client);
        begin();
    }

    private void begin() {
        Path journal = directory.resolve("client-" + client + "." + generation + ".journal");
        Order.Begin order = new Order.Begin(seed, client, generation, redisUri, journal);
        journals.add(journal);
        process = order.process();
        begun = false;
        worker.send(order);
    }

    /** {@return the name of the current process} */
    String process() {
        return process;
    }

    /** {@return the journals of all processes that had this place} */
    List<Path> journals() {
        return journals;
    }

    /** {@return the failures that killed processes had reported and that were not awaited} */
    List<String> failures() {
        return failures;
    }

    /** Waits until the process has begun the round, if that was not awaited yet. */
    void awaitBegun() throws InterruptedException {
        if (!begun) {
            worker.await(new Answer.Begun(), CONNECTED_WITHIN);
            begun = true;
        }
    }

    /** Sends an order; {@link #await} waits for its reply. */
    void send(Order order) {
        worker.send(order);
    }

    void await(Answer answer, Duration longest) throws InterruptedException {
        awaitBegun();
        worker.await(answer, longest);
    }

    /** Lets the process write the stacks of its threads to its log. */
    void explain() throws InterruptedException {
        worker.explain();
    }

    /** Kills the process, which is not usable any more; the next round has another one. */
    void clear() throws InterruptedException {
        crew.awaitSpare();
        kill();
        crew.replaced(client);
    }

    @Override
    public void freeze() {
        worker.freeze();
    }

    @Override
    public void thaw() {
        worker.thaw();
    }

    @Override
    public void kill() {
        worker.kill().forEach(failure -> failures.add(process + ": " + failure));
    }

    @Override
    public void close() {
        worker.send(new Order.CloseInUse());
    }

    /** A client that is not closed in time is killed with its process. That the next one has begun is still to be awaited. */
    @Override
    public void reopen() {
        try {
            await(new Answer.Closed(), CLOSED_WITHIN);
            generation++;
            begin();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StuckException | IllegalStateException e) {
            failures.add(process + ": " + e.getMessage());
            kill();
            replace();
        }
    }

    /** The replacement was sent its order; that it has begun is still to be awaited. */
    @Override
    public void replace() {
        generation++;
        worker = crew.replaced(client);
        begin();
    }
}
