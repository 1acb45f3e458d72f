package dev.holdfast.campaign.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The options of a soak. */
class SoakOptionsTest {
    /** Every option can be set. */
    @Test
    void parse_everything() {
        SoakOptions options = SoakOptions.parse(List.of(
                "--repository",
                "/repo",
                "--soak",
                "1.5",
                "--topology",
                "cluster",
                "--seed",
                "7",
                "--directory",
                "here",
                "--publish"));

        assertThat(options)
                .isEqualTo(new SoakOptions(
                        90,
                        true,
                        7,
                        Path.of("/repo"),
                        Path.of("/repo/here"),
                        Optional.of(Path.of("/repo/verification/evidence/soak.md"))));
    }

    /** Each topology has a directory of its own. */
    @Test
    void parse_nothing() {
        assertThat(SoakOptions.parse(List.of("--soak", "2")).directory())
                .isEqualTo(Path.of("verification/campaign/target/soak-single"));
        assertThat(SoakOptions.parse(List.of("--soak", "2", "--topology", "cluster"))
                        .directory())
                .isEqualTo(Path.of("verification/campaign/target/soak-cluster"));
        assertThat(SoakOptions.parse(List.of("--soak", "2")).publish()).isEmpty();
    }

    /** An unknown option, or one without a valid value, is rejected with the usage. */
    @Test
    void parse_unknown() {
        for (List<String> wrong : List.of(
                List.of("--soak"),
                List.of("--soak", "x"),
                List.of("--soak", "0"),
                List.of("--soak", "-2"),
                List.of("--soak", "1", "--minutes", "3"),
                List.of("--soak", "1", "--topology", "sentinel"))) {
            assertThatThrownBy(() -> SoakOptions.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--topology name");
        }
    }
}
