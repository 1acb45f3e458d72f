package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.campaign.schedule.Theme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Rounds that take little time, with one lock and scripts that are broken on purpose, in all clients. How much a round does depends on
 * the machine: it is repeated until it has shown what is broken.
 */
final class ShortRounds {
    /** The longest time that all faults of the round may take together. */
    private static final Duration SHORT = Duration.ofSeconds(12);

    private static final int MOST_ROUNDS = 5;

    private final Path directory;
    private final List<String> output = new ArrayList<>();

    ShortRounds(Path directory) {
        this.directory = directory;
    }

    /** Asserts that a round of the theme breaks this rule if the script is broken. */
    void assertBroken(String rule, Theme theme, String script, String correct, String broken) throws Exception {
        String classPath = new BrokenScripts(directory).pack(List.of(script), correct, broken) + ":"
                + System.getProperty("java.class.path");
        long seed = seed(theme, round -> !round.hasGuest() && round.locks().size() == 1);
        Options options = Options.parse(
                List.of("--repository", directory.toString(), "--rounds", "1", "--round-seed", Long.toString(seed)));
        List<String> violations = List.of();
        for (int round = 1; round <= MOST_ROUNDS && violations.isEmpty(); round++) {
            CampaignRun campaign = new CampaignRun(options, output::add, classPath);
            if (campaign.run() == Ending.VIOLATED) {
                violations = campaign.tally().violations();
            }
        }
        assertThat(violations).as(String.join("\n", output)).anyMatch(violation -> violation.startsWith(rule));
    }

    /** {@return the seed of such a round of the theme} */
    static long seed(Theme theme, Predicate<RoundPlan> wanted) {
        return LongStream.iterate(1, next -> next + 1)
                .map(next -> Schedule.seeds(next, theme).getAsLong())
                .filter(next -> isShort(Schedule.round(next)) && wanted.test(Schedule.round(next)))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isShort(RoundPlan round) {
        return round.faults().stream()
                        .map(fault -> fault.after().plus(fault.length()))
                        .reduce(Duration.ZERO, Duration::plus)
                        .compareTo(SHORT)
                < 0;
    }
}
