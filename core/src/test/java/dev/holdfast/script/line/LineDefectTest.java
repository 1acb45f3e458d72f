package dev.holdfast.script.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The checks of {@link LineSequenceTest} detect defects of the scripts. */
@Tag("script")
@Tag("slow")
@Tag("harness")
final class LineDefectTest {
    /** Long enough for each of the defects. */
    private static final int SHORT = 4;

    @AutoClose
    private static final LineScripts scripts = new LineScripts();

    /** Each defect differs from the prediction. */
    @ParameterizedTest
    @EnumSource
    void defect_isNotPredicted(LineDefect defect) {
        assertThat(faults(defect, LineCheck::faults)).isNotEmpty();
    }

    /** Most of them also break a rule that needs no prediction: each its own. */
    @ParameterizedTest
    @MethodSource
    void defect_breaksItsRule(LineDefect defect) {
        assertThat(faults(defect, LineRules::faults)).anyMatch(fault -> fault.contains(defect.rule()));
    }

    static Stream<LineDefect> defect_breaksItsRule() {
        return Stream.of(LineDefect.values()).filter(defect -> !defect.rule().isEmpty());
    }

    private static List<String> faults(LineDefect defect, LineRun.Judge judge) {
        LineRun run = new LineRun(scripts.changed(defect.kind(), defect::change), judge);
        LineSequences.all(run, SHORT);
        if (!run.hasFailed()) {
            LineSequences.comingAndGoing(run, LineSequenceTest.MANY, new Random(1));
        }
        return run.faults();
    }
}
