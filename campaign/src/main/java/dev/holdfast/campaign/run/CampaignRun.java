package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.campaign.schedule.Library;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plays round after round until the time is over, and tells how it goes. Nothing it starts outlives it. */
public final class CampaignRun {
    /** What of the violations of a round is told at once; the rest is in its directory. */
    private static final int TOLD = 10;

    private final Options options;
    private final Consumer<String> out;
    private final Tally tally = new Tally();

    /** @param out is told what happens, for people */
    public CampaignRun(Options options, Consumer<String> out) {
        this.options = options;
        this.out = out;
    }

    /** {@return whether nothing was found} */
    public boolean run() throws InterruptedException {
        long began = System.nanoTime();
        Path directory = emptied(options.directory().resolve("seed-" + options.seed()));
        out.accept("seed " + options.seed() + ", on " + RedisBinary.byDefault());
        LongSupplier seeds =
                options.round().isPresent() ? () -> options.round().getAsLong() : Schedule.seeds(options.seed());
        String version;
        try (RedisServer resource = RedisServer.builder().start();
                Crew crew = Crew.start(Schedule.MOST_CLIENTS, resource.uri(), directory.resolve("workers.log"))) {
            version = resource.version();
            for (int number = 1; number <= options.rounds() && isTime(began, number); number++) {
                resource.command("FLUSHALL");
                play(number, Schedule.round(seeds.getAsLong()), crew, directory);
            }
        }
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        List<String> report = new Report(tally).lines(again(), "Redis " + version, took);
        write(directory.resolve("report.md"), report);
        report.forEach(out);
        String server = "Redis " + version.substring(0, version.indexOf('.'));
        options.publish().ifPresent(file -> Publication.write(file, server, report));
        out.accept("");
        out.accept("seed " + options.seed() + "; " + verdict());
        return tally.violations().isEmpty();
    }

    /** {@return the figures so far} */
    Tally tally() {
        return tally;
    }

    /** One round is played whatever the time. */
    private boolean isTime(long began, int number) {
        return number == 1 || System.nanoTime() - began < options.time().toNanos();
    }

    private void play(int number, RoundPlan plan, Crew crew, Path directory) throws InterruptedException {
        Path place = emptied(directory.resolve("round-" + number));
        out.accept(String.format(Locale.ROOT, "round %d, seed %d: %s", number, plan.seed(), described(plan)));
        RoundOutcome outcome = new RoundRun(plan, crew, place, line -> out.accept("    " + line)).run();
        tally.add(outcome);
        out.accept("    " + outcome.figures());
        outcome.undecided().forEach(what -> out.accept("    undecided " + what));
        List<String> violations = outcome.violations();
        violations.stream().limit(TOLD).forEach(violation -> out.accept("  VIOLATION " + violation));
        if (!violations.isEmpty()) {
            write(place.resolve("violations.txt"), outcome.explained());
            out.accept("  " + violations.size()
                    + " violations; their events are in violations.txt beside the journals in " + place);
            out.accept("  again: " + command("--round-seed " + plan.seed() + " --rounds 1"));
        } else if (!options.keep() && outcome.undecided().isEmpty()) {
            delete(place);
        }
    }

    private static String described(RoundPlan plan) {
        Map<Library, Long> clients = plan.clients().stream()
                .collect(Collectors.groupingBy(client -> client.library(), Collectors.counting()));
        return clients + " clients, " + plan.locks().size() + " locks, watchdog timeout "
                + plan.watchdogTimeout().toMillis() + " ms, faults "
                + plan.faults().stream().map(FaultPlan::kind).toList();
    }

    private String again() {
        return command("--minutes " + options.time().toMinutes() + " --seed " + options.seed());
    }

    private static String command(String arguments) {
        String binary = System.getenv(RedisBinary.ENVIRONMENT);
        return (binary == null ? "" : RedisBinary.ENVIRONMENT + "=" + binary + " ")
                + "mvn -q -pl campaign -am compile exec:exec -Dcampaign.args=\"" + arguments + "\"";
    }

    private String verdict() {
        return tally.violations().isEmpty()
                ? "no violation in " + tally.rounds() + " rounds."
                : tally.violations().size() + " VIOLATIONS in " + tally.rounds() + " rounds.";
    }

    private static Path emptied(Path directory) {
        try {
            if (Files.exists(directory)) {
                delete(directory);
            }
            return Files.createDirectories(directory).toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + directory, e);
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory, e);
        }
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
