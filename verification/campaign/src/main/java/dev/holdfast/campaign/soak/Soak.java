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
import dev.holdfast.testkit.PresentBuild;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
    private final String build;
    private final SoakJournal journal;

    /**
     * A soak that {@link #run()} begins or continues.
     *
     * @param out receives the progress, as text for the user
     * @throws IllegalArgumentException if the repository has no commit
     */
    public Soak(SoakOptions options, Consumer<String> out) {
        this(
                options,
                Pace.REAL,
                out,
                System.getProperty("java.class.path"),
                PresentBuild.name(options.repository(), "verification/campaign/pom.xml"));
    }

    /**
     * Also with a shorter pace.
     *
     * @param classPath that of the processes
     * @param build the name of what is in there
     */
    Soak(SoakOptions options, Pace pace, Consumer<String> out, String classPath, String build) {
        this.options = options;
        this.pace = pace;
        this.out = out;
        this.classPath = classPath;
        this.build = build;
        this.journal = new SoakJournal(options.directory().resolve("soak.journal"));
    }

    /**
     * Plays what is left, and reports. An interrupt ends the current minute, which does not count but for its violations, and the soak.
     *
     * @throws IllegalArgumentException if the journal is of a soak with another seed or topology, or is to be continued with another
     *     build or Redis, or the report cannot be published
     */
    public Ending run() {
        create();
        Optional<Publication> publication = options.publish()
                .map(page -> Publication.named(page, "soak on " + (options.cluster() ? "a cluster" : "one server")));
        List<Entry> before = journal.read();
        requireSame(
                "seed and topology", before, leg -> leg.seed() == options.seed() && leg.cluster() == options.cluster());
        Optional<String> cut = Optional.empty();
        try {
            int played = Entry.all(before, Entry.Minute.class).size();
            if (played < options.minutes()) {
                cut = playOn(next(before), played);
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

    private void requireSame(String what, List<Entry> before, Predicate<Entry.Leg> isSame) {
        Entry.all(before, Entry.Leg.class).stream()
                .filter(isSame.negate())
                .findFirst()
                .ifPresent(other -> {
                    throw new IllegalArgumentException("the journal " + journal.file()
                            + " must be of a soak with the same " + what + ", was of " + other);
                });
    }

    /** {@return the leg that continues these entries} */
    private Entry.Leg next(List<Entry> before) {
        String version;
        try (RedisServer server = RedisServer.builder().start()) {
            version = server.version();
        }
        requireSame(
                "build, without changes that are in no commit, and Redis as " + build + " and " + version,
                before,
                leg -> PresentBuild.isCommitted(build)
                        && leg.build().equals(build)
                        && leg.version().equals(version));
        return new Entry.Leg(
                1 + Entry.all(before, Entry.Leg.class).size(),
                options.seed(),
                options.cluster(),
                build,
                version,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /**
     * Plays the minutes from this one on.
     *
     * @return what ended the leg early, if anything did
     */
    private Optional<String> playOn(Entry.Leg begun, int first) throws InterruptedException {
        journal.append(List.of(begun));
        out.accept(begun.toString());
        int minute = first;
        Progress progress = new Progress(Pace.CLIENTS);
        WorkersLog log = new WorkersLog(options.directory().resolve("workers-" + begun.number() + ".log"));
        List<String> violations = new ArrayList<>();
        try (Venue venue = Venue.of(options.cluster(), Pace.CLIENTS);
                SoakSeats seats =
                        SoakSeats.open(pace, () -> SoakWorker.start(classPath, log.file(), progress), uris(venue))) {
            Leg leg = new Leg(begun.number(), pace, venue, seats, progress, log, violations);
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
        } catch (RuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (e instanceof BrokenException) {
                violations.add(e.toString());
            } else {
                e.printStackTrace();
            }
            return Optional.of(e.toString());
        } finally {
            if (!violations.isEmpty()) {
                journal.append(List.of(new Entry.Violation(minute, violations)));
            }
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

    /** Only a soak that could be judged, and in which nothing was violated, is published. */
    private void publish(Publication page, List<String> report, Ending ending) {
        if (ending == Ending.GOOD) {
            page.write(report);
        } else {
            out.accept("not published");
        }
    }
}
