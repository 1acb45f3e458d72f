package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands that repeat a run or a round. */
class ReplayTest {
    /** The command has the same options: fractions of minutes, the number of rounds, the one round. */
    @Test
    void of_sameOptions() {
        assertThat(arguments("--minutes", "0.5", "--seed", "7")).isEqualTo("--minutes 0.5 --seed 7");
        assertThat(arguments("--minutes", "10", "--rounds", "3", "--seed", "7"))
                .isEqualTo("--minutes 10 --rounds 3 --seed 7");
        assertThat(arguments("--round-seed", "42", "--rounds", "1"))
                .isEqualTo("--minutes 10 --rounds 1 --round-seed 42");
        assertThat(arguments("--before", "jars", "--only", "versions", "--seed", "7"))
                .isEqualTo("--minutes 10 --only versions --before jars --seed 7");
        assertThat(new Replay(null).ofRound(42, Options.parse(List.of()))).endsWith("\"--round-seed 42 --rounds 1\"");
        assertThat(new Replay(null).ofRound(42, Options.parse(List.of("--before", "jars"))))
                .endsWith("\"--before jars --round-seed 42 --rounds 1\"");
    }

    /** A server that was chosen by the environment is chosen again. */
    @Test
    void of_sameServer() {
        Options options = Options.parse(List.of());
        assertThat(new Replay("embedded").ofRound(42, options)).startsWith("HOLDFAST_TEST_BINARY=embedded mvn ");
        assertThat(new Replay(null).ofRound(42, options)).startsWith("mvn ");
    }

    private static String arguments(String... given) {
        String command = new Replay(null).of(Options.parse(List.of(given)));
        return command.substring(command.indexOf('"') + 1, command.length() - 1);
    }
}
