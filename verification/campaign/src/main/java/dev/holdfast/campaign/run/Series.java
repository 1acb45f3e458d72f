package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.campaign.schedule.Library;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.campaign.schedule.Theme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Plays rounds until the time is over, and then reports. A round that cannot be played to its end is the last one; the
 * report covers the rounds before it.
 */
final class Series {
    /** The number of violations of a round that are printed; all of them are in its directory. */
    private static final int MOST_PRINTED = 10;

    private final Options options;
    private final Path directory;
    private final Consumer<String> out;
    private final Replay replay = Replay.here();
    private final Tally tally = new Tally();
    private final long began = System.nanoTime();

    /** @param out receives the progress, as text for the user */
    Series(Options options, Path directory, Consumer<String> out) {
        this.options = options;
        this.directory = directory;
        this.out = out;
    }

    /** {@return the figures of the rounds so far} */
    Tally tally() {
        return tally;
    }

    /** @param server the server with the locks */
    Ending play(Game game, String server, Optional<Publication> publication) throws InterruptedException {
        Optional<String> cut = playAll(game);
        Ending ending = Ending.of(tally, cut.isPresent());
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        List<String> report = new Report(tally).lines(replay.of(options), server, took, cut);
        Directories.write(directory.resolve("report.md"), report);
        report.forEach(out);
        out.accept("");
        publication.ifPresent(place -> publish(place, report, ending));
        out.accept("seed " + options.seed() + "; " + verdict(ending));
        return ending;
    }

    /** {@return what ended the run early, if anything did} */
    private Optional<String> playAll(Game game) throws InterruptedException {
        LongSupplier seeds = seeds();
        for (int number = 1; number <= options.rounds() && isTime(number); number++) {
            RoundPlan plan = Schedule.round(seeds.getAsLong());
            try {
                playOne(number, plan, game);
            } catch (RuntimeException e) {
                e.printStackTrace();
                out.accept("  repeat with: " + replay.ofRound(plan.seed(), options));
                return Optional.of("round " + number + ", seed " + plan.seed() + ": " + e);
            }
        }
        return Optional.empty();
    }

    private LongSupplier seeds() {
        if (options.round().isPresent()) {
            return () -> options.round().getAsLong();
        }
        return options.only()
                .map(theme -> Schedule.seeds(options.seed(), theme))
                .orElseGet(() -> Schedule.seeds(options.seed(), options.before().isPresent()));
    }

    /** At least one round is played, whatever the time. */
    private boolean isTime(int number) {
        return number == 1 || System.nanoTime() - began < options.time().toNanos();
    }

    private void playOne(int number, RoundPlan plan, Game game) throws InterruptedException {
        Path place = Directories.emptied(directory.resolve("round-" + number));
        out.accept(String.format(Locale.ROOT, "round %d, seed %d: %s", number, plan.seed(), described(plan)));
        RoundOutcome outcome = game.play(plan, place, line -> out.accept("    " + line));
        tally.add(outcome);
        out.accept("    " + outcome.figures());
        outcome.undecided().forEach(what -> out.accept("    undecided " + what));
        List<String> violations = outcome.violations();
        violations.stream().limit(MOST_PRINTED).forEach(violation -> out.accept("  VIOLATION " + violation));
        if (!violations.isEmpty()) {
            Directories.write(place.resolve("violations.txt"), outcome.explained());
            out.accept("  " + violations.size()
                    + " violations; their events are in violations.txt beside the journals in " + place);
            out.accept("  repeat with: " + replay.ofRound(plan.seed(), options));
        } else if (!options.keep() && outcome.undecided().isEmpty()) {
            Directories.delete(place);
        }
    }

    private static String described(RoundPlan plan) {
        Map<Library, Integer> clients = plan.clients().stream()
                .collect(Collectors.groupingBy(ClientPlan::library, Collectors.summingInt(ClientPlan::count)));
        Theme theme = Theme.of(plan.seed());
        String like = theme == plan.theme() ? "" : " like " + Options.named(plan.theme());
        return Options.named(theme) + like + ", " + clients + " clients, "
                + plan.locks().size() + (plan.isReplicated() ? " replicated" : "") + " locks, watchdog timeout "
                + plan.watchdogTimeout().toMillis() + " ms, faults "
                + plan.faults().stream().map(FaultPlan::kind).toList();
    }

    /** Only a run in which every rule was decided and kept is published. */
    private void publish(Publication place, List<String> report, Ending ending) {
        if (ending == Ending.GOOD) {
            place.write(report);
        } else {
            out.accept("not published: the report stays in " + directory);
        }
    }

    private String verdict(Ending ending) {
        String rounds = " in " + tally.rounds() + " rounds.";
        return switch (ending) {
            case GOOD -> "no violation" + rounds;
            case VIOLATED -> tally.violations().size() + " VIOLATIONS" + rounds;
            case UNDECIDED -> "no violation, but " + tally.undecided().size() + " UNDECIDED" + rounds;
            case CUT_SHORT -> "no violation" + rounds + " CUT SHORT, see above.";
        };
    }
}
