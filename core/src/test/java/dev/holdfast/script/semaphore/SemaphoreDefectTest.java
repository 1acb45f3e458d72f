package dev.holdfast.script.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link SemaphoreSequenceTest} detects defects of the scripts. */
@Tag("script")
@Tag("slow")
@Tag("harness")
final class SemaphoreDefectTest {
    /** Enough for each of the defects. */
    private static final int MOST_RUNS = 100;

    private static final int LENGTH = 400;

    @AutoClose
    private static final SemaphoreScripts scripts = new SemaphoreScripts();

    /** Each defect breaks a rule. */
    @ParameterizedTest
    @EnumSource
    void defect_breaksARule(SemaphoreDefect defect) {
        SemaphoreScripts.Loaded changed = scripts.changed(defect::change);
        List<String> faults = List.of();
        int runs = 0;
        while (faults.isEmpty() && runs < MOST_RUNS) {
            faults = new SemaphoreSequences(scripts, changed, new Random(runs), false, SemaphoreSequences.counts())
                    .run(LENGTH);
            runs++;
        }
        assertThat(faults).as("after %s runs", runs).isNotEmpty();
        System.out.println(defect + " after " + runs + " runs: " + faults.get(0));
    }
}
