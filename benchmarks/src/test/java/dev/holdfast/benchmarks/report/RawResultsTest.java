package dev.holdfast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Workload;
import dev.holdfast.benchmarks.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The results of a run, which another one continues. */
class RawResultsTest {
    private static final Workload WORKLOAD = Workloads.all().get(0);

    private final List<String> progress = new ArrayList<>();

    /** The same build is continued on another day. */
    @Test
    void read_sameBuild_isContinued(@TempDir Path directory) throws IOException {
        assertThat(attempts(directory, "b1", "b1")).isEqualTo(1);
        assertThat(progress).isEmpty();
    }

    /** The rounds of another build are not mixed with those of this one, and the run says so. */
    @Test
    void read_anotherBuild_beginsAnew(@TempDir Path directory) throws IOException {
        assertThat(attempts(directory, "b1", "b2")).isZero();
        assertThat(progress)
                .singleElement()
                .asString()
                .startsWith("begins anew")
                .endsWith("another build");
    }

    /** Two builds with changes since the same commit may differ. */
    @Test
    void read_changedBuild_beginsAnew(@TempDir Path directory) throws IOException {
        assertThat(attempts(directory, "b1, changed", "b1, changed")).isZero();
        assertThat(progress).hasSize(1);
    }

    /** {@return how many rounds of the one build the other one continues} */
    private int attempts(Path directory, String build, String next) throws IOException {
        Results results = new Results();
        results.begin(WORKLOAD, List.of(LockSystem.HOLDFAST)).get(0).measured(new Figures().put(Metric.SCRIPTS, 2L));
        Path file = directory.resolve("results.csv");
        Files.writeString(file, RawResults.of(Map.of("build", build, "date", "2026-01-01"), results));
        return RawResults.read(file, Map.of("build", next, "date", "2026-01-02"), Workloads.all(), progress::add)
                .begin(WORKLOAD, List.of(LockSystem.HOLDFAST))
                .get(0)
                .attempts();
    }
}
