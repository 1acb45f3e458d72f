package dev.holdfast.campaign.run;

import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Journal;
import dev.holdfast.campaign.nemesis.Nemesis;
import dev.holdfast.campaign.nemesis.Site;
import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.campaign.schedule.Library;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.worker.Answer;
import dev.holdfast.campaign.worker.Leftovers;
import dev.holdfast.campaign.worker.Order;
import dev.holdfast.campaign.worker.Worker.StuckException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One round, from an empty server to the check for what is left on it. */
final class RoundRun {
    /**
     * Longer than a client may take to close: channels without subscribers are kept for a while, and threads have to
     * end.
     */
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(30);

    private static final Duration CLEAN_UP = Duration.ofSeconds(1);

    private final RoundPlan plan;
    private final Function<Library, Crew> crews;
    private final WorkersLog log;
    private final Path directory;
    private final Consumer<String> out;
    private final List<Seat> seats = new ArrayList<>();
    private final List<Seat> absent = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    /**
     * @param crews the crew whose processes have the library of a client
     * @param log the log of the crews
     * @param directory for the journals
     * @param out receives the progress, as text for the user
     */
    RoundRun(RoundPlan plan, Function<Library, Crew> crews, WorkersLog log, Path directory, Consumer<String> out) {
        this.plan = plan;
        this.crews = crews;
        this.log = log;
        this.directory = directory;
        this.out = out;
    }

    RoundOutcome run() throws InterruptedException {
        Path faults = directory.resolve("nemesis.journal");
        awaitCrews();
        boolean lined;
        try (Venue venue = Venue.open(plan);
                Journal journal = Journal.open(faults)) {
            lined = venue.hasLines();
            carryOut(venue, journal);
        }
        seats.forEach(seat -> complaints.addAll(seat.failures()));
        complaints.addAll(log.complaints());
        return RoundOutcome.of(plan, lined, History.read(journals(faults)), complaints, directory);
    }

    private void awaitCrews() throws InterruptedException {
        Map<Crew, List<Integer>> places = plan.clients().stream()
                .collect(Collectors.groupingBy(
                        client -> crews.apply(client.library()),
                        Collectors.mapping(ClientPlan::index, Collectors.toList())));
        for (Map.Entry<Crew, List<Integer>> entry : places.entrySet()) {
            entry.getKey().await(entry.getValue());
        }
    }

    /** A process that ended before its round began has no journal; that was reported as a complaint. */
    private List<Path> journals(Path faults) {
        List<Path> journals = new ArrayList<>(List.of(faults));
        seats.forEach(seat -> seat.journals().stream().filter(Files::exists).forEach(journals::add));
        return journals;
    }

    private void carryOut(Venue venue, Journal journal) throws InterruptedException {
        for (ClientPlan client : plan.clients()) {
            Crew crew = crews.apply(client.library());
            seats.add(new Seat(crew, client.index(), plan.seed(), venue.uri(client), directory));
        }
        awaitAll(Seat::awaitBegun);
        Site site = new Site(venue.servers(), venue.links(), List.copyOf(seats), plan.keys());
        new Nemesis(site, new FaultDiary(journal, plan, seats, venue.servers(), out)).carryOut(plan.faults());
        TimeUnit.NANOSECONDS.sleep(plan.calm().toNanos());
        sendAll(new Order.Stop());
        awaitAll(seat -> seat.await(new Answer.Stopped(), plan.patience()));
        sendAll(new Order.Close());
        awaitAll(seat -> seat.await(new Answer.Closed(), CLOSED_WITHIN));
        List<String> left = Leftovers.within(stay(), venue::left);
        journal.write(new Event.Inspected(System.nanoTime(), Event.Inspected.SERVER, left));
    }

    /**
     * Holds of clients that were killed or closed stay until their leases end, and locks that were closed after a delay
     * until that has passed; nothing else stays.
     */
    private Duration stay() {
        Duration lease = plan.abandons() ? plan.longestLease() : Duration.ZERO;
        Duration longest = lease.compareTo(plan.longestKeep()) > 0 ? lease : plan.longestKeep();
        return longest.plus(CLEAN_UP);
    }

    private void sendAll(Order order) {
        present().forEach(seat -> seat.send(order));
    }

    /** A process that does not reply in time, or fails, is excluded from the rest of the round. */
    private void awaitAll(Waiting waiting) throws InterruptedException {
        for (Seat seat : present()) {
            try {
                waiting.await(seat);
            } catch (StuckException e) {
                seat.explain();
                leaveOut(seat, e);
            } catch (IllegalStateException e) {
                leaveOut(seat, e);
            }
        }
    }

    private List<Seat> present() {
        return seats.stream().filter(seat -> !absent.contains(seat)).toList();
    }

    private interface Waiting {
        void await(Seat seat) throws InterruptedException;
    }

    private void leaveOut(Seat seat, RuntimeException why) throws InterruptedException {
        complaints.add(seat.process() + ": " + why.getMessage());
        absent.add(seat);
        seat.clear();
    }
}
