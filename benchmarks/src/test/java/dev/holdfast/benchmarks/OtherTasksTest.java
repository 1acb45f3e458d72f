package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole runner, as in {@link RunnerTest}, with the workloads that do more than acquire and release. */
@Tag("slow")
class OtherTasksTest {
    /** Workloads with many waiters, with many holds and with handovers succeed as well, beside the other tests. */
    @Test
    void run_tasksOfOtherKinds_endWell(@TempDir Path out) throws Exception {
        InstantRun.of(out, "handover,waiters,holds", "holdfast");

        assertThat(out.resolve("results.json"))
                .content()
                .contains("\"HANDOVER_P50\": ", "\"WOKEN\": ", "\"LOST\": 0", "\"FAILURES\": 0")
                .doesNotContain("remark");
    }
}
