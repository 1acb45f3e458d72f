package dev.holdfast.script.latch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rules of {@link LatchSequences}, for the shipped scripts. */
@Tag("script")
final class LatchSequenceTest {
    private static final int LENGTH = 300;

    @AutoClose
    private static final LatchScriptRuns scripts = new LatchScriptRuns();

    private final LatchScriptRuns.Loaded shipped = scripts.shipped();

    private void keepTheRules(int runs, boolean withRedisson, boolean failovers, boolean refusals) {
        for (int seed = 0; seed < runs; seed++) {
            assertThat(new LatchSequences(scripts, shipped, new Random(seed), withRedisson, failovers, refusals)
                            .run(LENGTH))
                    .as("seed %s", seed)
                    .isEmpty();
        }
    }

    /** Three clients of ours: late, twice, across generations, with expiries. */
    @Test
    void ours_keepTheRules() {
        keepTheRules(3, false, false, false);
    }

    /** Redisson sets, counts down and deletes in between. */
    @Test
    void withRedisson_keepTheRules() {
        keepTheRules(3, true, false, false);
    }

    /** After a failover each client repeats its countdowns: none is lost, none counts twice. */
    @Test
    void failovers_keepTheRules() {
        keepTheRules(3, false, true, false);
    }

    /** A user lacks rights. */
    @Test
    void refusals_keepTheRules() {
        keepTheRules(3, true, false, true);
    }

    /** All of it, for longer. */
    @Tag("slow")
    @Tag("deep")
    @Test
    void all_keepTheRules_longer() {
        keepTheRules(15, false, true, true);
        keepTheRules(15, true, false, true);
    }
}
