package dev.holdfast.script.readwrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of {@link ReadWriteSequenceTest} detect defects of the scripts. */
@Tag("script")
@Tag("slow")
final class ReadWriteDefectTest {
    /** Enough for each of the defects. */
    private static final int MOST_RUNS = 400;

    private static final int LENGTH = 400;

    @AutoClose
    private static final ReadWriteScripts scripts = new ReadWriteScripts();

    /** Each defect breaks a rule. */
    @ParameterizedTest
    @EnumSource
    void defect_breaksARule(ReadWriteDefect defect) {
        ReadWriteScripts.Loaded changed = scripts.changed(defect::change);
        List<String> faults = List.of();
        int runs = 0;
        while (faults.isEmpty() && runs < MOST_RUNS) {
            faults = new ReadWriteSequences(
                            scripts,
                            changed,
                            new Random(runs),
                            runs % 2 == 1,
                            defect.needsRefusals(),
                            ReadWriteSequences.counts())
                    .run(LENGTH);
            runs++;
        }
        assertThat(faults).as("after %s runs", runs).isNotEmpty();
        System.out.println(defect + " after " + runs + " runs: " + faults.get(0));
    }
}
