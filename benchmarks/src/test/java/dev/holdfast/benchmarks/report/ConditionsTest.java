package dev.holdfast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.benchmarks.workload.Pace;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The conditions that a report states. */
class ConditionsTest {
    /** Figures of a build without a name could be continued by any other. */
    @Test
    void of_noRepository_fails(@TempDir Path directory) {
        assertThatThrownBy(() -> Conditions.of("", Pace.INSTANT, directory, "7.0"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("to name the build");
    }
}
