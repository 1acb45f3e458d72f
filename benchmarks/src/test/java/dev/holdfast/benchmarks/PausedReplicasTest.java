package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole runner, with the workload during which replicas are stopped; beside {@link OutagesTest}, to save time. */
@Tag("slow")
@Tag("harness")
class PausedReplicasTest {
    /** All replicas are stopped, and the locks that need none go on meanwhile, beside others that are refused. */
    @Test
    void run_endsWell(@TempDir Path out) throws Exception {
        InstantRun.of(out, "beside-paused-replicas", "selected");

        assertThat(out.resolve("results.csv"))
                .content()
                .containsPattern("ACQUISITIONS,[1-9]")
                .containsPattern("CALM_WAIT_P99,[1-9]")
                .containsPattern("FAILURES,[1-9]")
                .doesNotContain("remark", "failed,");
    }
}
