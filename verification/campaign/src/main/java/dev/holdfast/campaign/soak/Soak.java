package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.run.Ending;
import dev.holdfast.campaign.run.Publication;
import dev.holdfast.campaign.run.Venue;
import dev.holdfast.campaign.run.WorkersLog;
import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.campaign.schedule.Library;
import dev.holdfast.campaign.schedule.Rights;
import dev.holdfast.campaign.schedule.SoakFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A soak: plays minutes until the time is over, in the leg that it begins and in those that its journal has, and judges all of them.
 * Nothing that it starts outlives it. Confined to one thread.
 */
public final class Soak {
    private final SoakOptions options;
    private final Pace pace;
    private final Consumer<String> out;
    private final String classPath;
    private final SoakJournal journal;

    /** @param out receives the progress, as text for the user */
    public Soak(SoakOptions options, Consumer<String> out) {
        this(options, Pace.REAL, out, System.getProperty("java.class.path"));
    }

    /** @param classPath that of the processes */
    Soak(SoakOptions options, Pace pace, Consumer<String> out, String classPath) {
        this.options = options;
        this.pace = pace;
        this.out = out;
        this.classPath = classPath;
        this.journal = new SoakJournal(options.directory().resolve("soak.journal"));
    }

    /**
     * Plays what is left, and reports. An interrupt ends the current minute, which does not count, and the soak.
     *
     * @throws IllegalArgumentException if the journal is of a soak with another seed or on other servers, or the report cannot be
     *     published
     */
    public Ending run() {
        create();
        Optional<Publication> publication = options.publish()
                .map(page -> Publication.named(page, "soak on " + (options.cluster() ? "a cluster" : "one server")));
        List<Entry> before = journal.read();
        requireSame(before);
        Optional<String> cut = Optional.empty();
        try {
            if (played(before) < options.minutes()) {
                cut = playOn(before);
            }
        } catch (InterruptedException e) {
            out.accept("interrupted; the same command continues");
        }
        List<Entry> entries = journal.read();
        Judgement judgement = Judgement.of(entries, pace.samples());
        Ending ending = judgement.ending(options.minutes(), cut.isPresent());
        List<String> report = new SoakReport(options, entries, judgement).lines();
        report.forEach(out);
        judgement.violations().forEach(violation -> out.accept("VIOLATION " + violation));
        cut.ifPresent(why -> out.accept("CUT SHORT by " + why));
        publication.ifPresent(page -> publish(page, report, ending));
        out.accept(ending + ", " + judgement.played() + " of " + options.minutes() + " minutes, in "
                + options.directory());
        return ending;
    }

    private void create() {
        try {
            Files.createDirectories(options.directory());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + options.directory(), e);
        }
    }

    private void requireSame(List<Entry> before) {
        for (Entry entry : before) {
            if (entry instanceof Entry.Leg leg
                    && (leg.seed() != options.seed() || leg.cluster() != options.cluster())) {
                throw new IllegalArgumentException("the journal " + journal.file()
                        + " must be of a soak with the same seed and topology, was of " + leg);
            }
        }
    }

    private static int played(List<Entry> entries) {
        return (int) entries.stream().filter(Entry.Minute.class::isInstance).count();
    }

    /** {@return what ended the leg early, if anything did} */
    private Optional<String> playOn(List<Entry> before) throws InterruptedException {
        int number =
                1 + (int) before.stream().filter(Entry.Leg.class::isInstance).count();
        int minute = played(before);
        Progress progress = new Progress(Pace.CLIENTS);
        WorkersLog log = new WorkersLog(options.directory().resolve("workers-" + number + ".log"));
        try (Venue venue = Venue.of(options.cluster(), Pace.CLIENTS);
                SoakSeats seats =
                        SoakSeats.open(pace, () -> SoakWorker.start(classPath, log.file(), progress), uris(venue))) {
            String version = venue.masters().get(0).version();
            journal.append(List.of(new Entry.Leg(
                    number,
                    options.seed(),
                    options.cluster(),
                    version,
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())));
            out.accept("leg " + number + ", seed " + options.seed() + ", on Redis " + version);
            Leg leg = new Leg(number, pace, venue, seats, progress, log, new ArrayList<>());
            SoakFaults faults = new SoakFaults(
                    options.seed(),
                    options.cluster(),
                    Pace.PROCESSES,
                    Pace.CLIENTS,
                    Kind.targets().size());
            for (; minute < options.minutes(); minute++) {
                play(leg, minute, faults.of(minute, pace.watchdogTimeout()));
            }
            return Optional.empty();
        } catch (BrokenException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            journal.append(List.of(new Entry.Violation(minute, List.of(e.toString()))));
            return Optional.of(e.toString());
        } catch (RuntimeException e) {
            e.printStackTrace();
            return Optional.of(e.toString());
        }
    }

    private void play(Leg leg, int minute, List<FaultPlan> faults) throws InterruptedException {
        out.accept("minute " + minute + ": " + faults.get(0).kind().text());
        List<Entry> entries = leg.play(minute, faults);
        journal.append(entries);
        entries.forEach(entry -> out.accept("    " + entry));
    }

    private List<String> uris(Venue venue) {
        return IntStream.range(0, Pace.CLIENTS)
                .mapToObj(client -> venue.uri(plan(client)))
                .toList();
    }

    /** Each client has a Redis user of its own on a single server, so that it can lose rights. */
    private ClientPlan plan(int client) {
        ClientPlan plan = ClientPlan.of(client, Library.HOLDFAST, List.of());
        return options.cluster() ? plan : plan.with(Rights.OWN);
    }

    /** Only a soak in which everything was judged and nothing was violated is published. */
    private void publish(Publication page, List<String> report, Ending ending) {
        if (ending == Ending.GOOD) {
            page.write(report);
        } else {
            out.accept("not published");
        }
    }
}
