package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.campaign.schedule.Theme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The options of a command line. */
class CampaignOptionsTest {
    /** Every option can be set. */
    @Test
    void parse_everything() {
        Options options = Options.parse(List.of(
                "--repository",
                "/repo",
                "--minutes",
                "2.5",
                "--seed",
                "42",
                "--round-seed",
                "7",
                "--only",
                "given-up",
                "--before",
                "../before/jars",
                "--keep",
                "--publish"));

        assertThat(options.time()).isEqualTo(Duration.ofSeconds(150));
        assertThat(options.seed()).isEqualTo(42);
        assertThat(options.round()).isEqualTo(OptionalLong.of(7));
        assertThat(options.only()).contains(Theme.GIVEN_UP);
        assertThat(options.before()).contains(Path.of("/before/jars"));
        assertThat(options.keep()).isTrue();
        assertThat(options.directory()).isEqualTo(Path.of("/repo/verification/campaign/target/campaign"));
        assertThat(options.publish()).contains(Path.of("/repo/verification/evidence/campaign.md"));
    }

    /** Every option has a default. */
    @Test
    void parse_nothing() {
        Options options = Options.parse(List.of());

        assertThat(options.time()).isEqualTo(Duration.ofMinutes(10));
        assertThat(options.rounds()).isEqualTo(Integer.MAX_VALUE);
        assertThat(options.round()).isEmpty();
        assertThat(options.only()).isEmpty();
        assertThat(options.publish()).isEmpty();
        assertThat(Options.parse(List.of("--quick")).rounds()).isEqualTo(4);
        assertThat(Options.parse(List.of("--rounds", "2")).rounds()).isEqualTo(2);
    }

    /** Rounds of two builds are rejected without an earlier build: the present one would be used in its place. */
    @Test
    void parse_versionsWithoutBefore() {
        long round = Schedule.seeds(1, Theme.VERSIONS).getAsLong();
        for (List<String> wrong : List.of(
                List.of("--only", "versions"), List.of("--only", "crowd", "--round-seed", Long.toString(round)))) {
            assertThatThrownBy(() -> Options.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("need the jars of the earlier one: --before");
        }
        assertThat(Options.parse(List.of("--only", "versions", "--before", "jars"))
                        .before())
                .contains(Path.of("jars"));
    }

    /** An unknown option, or one without a valid value, is rejected with the usage. */
    @Test
    void parse_unknown() {
        for (List<String> wrong :
                List.of(List.of("--fast"), List.of("--seed"), List.of("--seed", "x"), List.of("--only", "x"))) {
            assertThatThrownBy(() -> Options.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--round-seed");
        }
    }
}
