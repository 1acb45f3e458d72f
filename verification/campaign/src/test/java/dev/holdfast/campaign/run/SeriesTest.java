package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict;
import dev.holdfast.campaign.check.Violation;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.What;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Series of rounds with known outcomes. */
class SeriesTest {
    private static final Verdict KEPT = new Verdict("a rule", 1, 0, List.of(), List.of());
    private static final Verdict VIOLATED =
            new Verdict("a rule", 1, 0, List.of(new Violation(0, "stock", "x")), List.of());
    private static final Verdict UNDECIDED = new Verdict("a rule", 1, 0, List.of(), List.of("too many cases"));

    /** The verdict that stands for a round that throws. */
    private static final Verdict UNPLAYABLE = new Verdict("none", 0, 0, List.of(), List.of());

    private final Path directory;
    private final Path page;
    private final List<String> output = new ArrayList<>();

    SeriesTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.page = Files.writeString(directory.resolve("page.md"), """
                <!-- campaign on Redis 7: what a run wrote begins here -->
                older
                <!-- campaign on Redis 7: what a run wrote ends here -->
                """);
    }

    /** A run passes, and is published, only if everything was decided and no violation was found. */
    @Test
    void play_endings() throws Exception {
        assertThat(played(KEPT, VIOLATED, UNDECIDED)).isEqualTo(Ending.VIOLATED);
        assertThat(output).last().asString().contains("1 VIOLATIONS in 3 rounds");
        assertThat(played(KEPT, UNDECIDED)).isEqualTo(Ending.UNDECIDED);
        assertThat(output).last().asString().contains("no violation, but 1 UNDECIDED in 2 rounds");
        assertThat(page).content().contains("older");

        assertThat(played(KEPT, KEPT)).isEqualTo(Ending.GOOD);
        assertThat(output).last().asString().contains("no violation in 2 rounds");
        assertThat(page).content().doesNotContain("older").contains("| a rule | 2 |");
    }

    /**
     * A round that cannot be played ends the run; the report covers the rounds before it, and says why the run ended.
     */
    @Test
    void play_cutShort() throws Exception {
        assertThat(played(KEPT, KEPT, UNPLAYABLE)).isEqualTo(Ending.CUT_SHORT);

        assertThat(directory.resolve("report.md"))
                .content()
                .contains("| a rule | 2 |")
                .contains("**Cut short** by round 3")
                .contains("the server is gone");
        assertThat(page).content().contains("older");
        assertThat(output).last().asString().contains("CUT SHORT");
    }

    /** A violation found before such a round is reported. */
    @Test
    void play_cutShortAfterAViolation() throws Exception {
        assertThat(played(VIOLATED, UNPLAYABLE)).isEqualTo(Ending.VIOLATED);
        assertThat(directory.resolve("report.md")).content().contains("**Cut short** by round 2");
    }

    /** @param verdicts of the rounds, one for each */
    private Ending played(Verdict... verdicts) throws InterruptedException {
        List<Verdict> next = new ArrayList<>(List.of(verdicts));
        Options options = Options.parse(List.of("--seed", "1", "--rounds", Integer.toString(verdicts.length)));
        Game game = (plan, place, out) -> {
            Verdict verdict = next.remove(0);
            if (verdict.equals(UNPLAYABLE)) {
                throw new IllegalStateException("the server is gone");
            }
            History history =
                    new Histories().grant("a", "1", "stock", What.LOCK, 0, 1).history();
            return new RoundOutcome(plan, history, List.of(verdict), List.of(), place);
        };
        return new Series(options, directory, output::add)
                .play(game, "Redis 7.0.15", Optional.of(Publication.in(page, "7.0.15", Optional.empty())));
    }
}
