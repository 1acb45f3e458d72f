package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole runner, as in {@link RunnerTest}, with the workloads that do more than acquire and release. */
@Tag("slow")
class OtherTasksTest {
    /** Workloads with many waiters, with many holds and with handovers succeed as well, beside the other tests. */
    @Test
    void run_tasksOfOtherKinds_endWell(@TempDir Path out) throws Exception {
        Options options = Options.parse(List.of(
                "--instant",
                "--window",
                "0.5",
                "--only",
                "handover,waiters,holds",
                "--systems",
                "holdfast",
                "--out",
                out.toString()));

        assertThat(Benchmarks.run(options)).isTrue();

        assertThat(out.resolve("results.json"))
                .content()
                .contains("\"HANDOVER_P50\": ", "\"WOKEN\": ", "\"LOST\": 0", "\"FAILURES\": 0")
                .doesNotContain("remark");
    }
}
