package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole runner, as in {@link RunnerTest}, with the workloads that do more than acquire and release. */
@Tag("slow")
@Tag("harness")
class OtherTasksTest {
    /** Workloads with many waiters, with many holds, with handovers, conditions, segments, a thousand locks together, cold starts and heap succeed as well, beside the other tests. */
    @Test
    void run_tasksOfOtherKinds_endWell(@TempDir Path out) throws Exception {
        InstantRun.of(
                out, "cold-1*,cold-crowd,handover,waiters,holds,condition-*,segments-20,multi-1000,heap", "holdfast");

        assertThat(out.resolve("results.csv"))
                .content()
                .contains(
                        "HANDOVER_P50,",
                        "WOKEN,",
                        "SCRIPT_TIME,",
                        "LOST,0",
                        "FAILURES,0",
                        "cold-1,holdfast,1,SCRIPTS,2.0",
                        "cold-1-archive,holdfast,1,COLD_FIRST_CPU,",
                        "multi-1000,holdfast,1,VIOLATIONS,0",
                        "segments-20,holdfast,1,VIOLATIONS,0",
                        "HEAP_PER_CLIENT,",
                        "HEAP_PER_PERMIT,")
                .doesNotContain("remark", "failed");
    }
}
