package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole runner, as in {@link RunnerTest}, with the workloads that do more than acquire and release. */
@Tag("slow")
class OtherTasksTest {
    /** Workloads with many waiters, with many holds, with handovers and with conditions succeed as well, beside the other tests. */
    @Test
    void run_tasksOfOtherKinds_endWell(@TempDir Path out) throws Exception {
        InstantRun.of(out, "handover,waiters,holds,condition-*", "holdfast");

        assertThat(out.resolve("results.json"))
                .content()
                .contains("\"HANDOVER_P50\": ", "\"WOKEN\": ", "\"SCRIPT_TIME\": ", "\"LOST\": 0", "\"FAILURES\": 0")
                .doesNotContain("remark");
    }
}
