package dev.holdfast.script.condition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link ConditionSequenceTest} detects defects of the scripts. */
@Tag("script")
@Tag("slow")
@Tag("harness")
final class ConditionDefectTest {
    /** Enough for each of the defects. */
    private static final int MOST_RUNS = 40;

    private static final int LENGTH = 200;

    @AutoClose
    private static final WaitSetScripts scripts = new WaitSetScripts();

    /** Each defect breaks a rule. */
    @ParameterizedTest
    @EnumSource
    void defect_breaksARule(ConditionDefect defect) {
        WaitSetScripts.Loaded changed = scripts.changed(defect::change);
        List<String> faults = List.of();
        int runs = 0;
        while (faults.isEmpty() && runs < MOST_RUNS) {
            faults = new WaitSetSequences(scripts, changed, new Random(runs), runs % 2 == 1, WaitSetSequences.counts())
                    .run(LENGTH);
            runs++;
        }
        assertThat(faults).as("after %s runs", runs).isNotEmpty();
        System.out.println(defect + " after " + runs + " runs: " + faults.get(0));
    }
}
