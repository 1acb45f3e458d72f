package dev.holdfast.script.latch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of {@link LatchSequences} detect defects of the scripts. */
@Tag("script")
@Tag("slow")
@Tag("harness")
final class LatchDefectTest {
    private static final int MOST_RUNS = 60;

    private static final int LENGTH = 300;

    @AutoClose
    private static final LatchScriptRuns scripts = new LatchScriptRuns();

    /** Each defect is in a script, and breaks a rule. */
    @ParameterizedTest
    @EnumSource
    void defect_breaksARule(LatchDefect defect) {
        AtomicInteger changed = new AtomicInteger();
        LatchScriptRuns.Loaded broken = scripts.changed((file, text) -> {
            String with = defect.change(file, text);
            changed.addAndGet(with.equals(text) ? 0 : 1);
            return with;
        });
        assertThat(changed).as("scripts with the defect").hasPositiveValue();
        List<String> faults = List.of();
        int runs = 0;
        while (faults.isEmpty() && runs < MOST_RUNS) {
            boolean withRedisson = runs % 2 == 1;
            faults = new LatchSequences(scripts, broken, new Random(runs), withRedisson, !withRedisson, runs % 4 > 1)
                    .run(LENGTH);
            runs++;
        }
        assertThat(faults).as("after %s runs", runs).isNotEmpty();
        System.out.println(defect + " after " + runs + " runs: " + faults.get(0));
    }
}
