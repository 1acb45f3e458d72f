package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole runner, with the workloads during which nodes fail. */
@Tag("slow")
@Tag("harness")
class OutagesTest {
    /** A master is killed or replaced, and the lock is acquired again. */
    @Test
    void run_failover_endsWell(@TempDir Path out) throws Exception {
        InstantRun.of(out, "failover-cluster,failover-cluster-planned,failover-sentinel", "holdfast");

        assertThat(out.resolve("results.csv"))
                .content()
                .containsPattern(
                        "(?s)failover-cluster,holdfast,1,STANDSTILL,[1-9]\\d{3}.*failover-sentinel,holdfast,1,STANDSTILL,[1-9]\\d{3}")
                .containsPattern("failover-cluster-planned,holdfast,1,STANDSTILL,\\d")
                .doesNotContain("remark", "failed");
    }

    /** A master is killed, and the locks of the others go on meanwhile. */
    @Test
    void run_besideAFailover_endsWell(@TempDir Path out) throws Exception {
        InstantRun.of(out, "failover-beside", "holdfast");

        assertThat(out.resolve("results.csv"))
                .content()
                .containsPattern("ACQUISITIONS,[1-9]")
                .containsPattern("CALM_WAIT_P99,[1-9]")
                .containsPattern("STANDSTILL,[1-9]\\d{3}")
                .contains("FAILURES,0")
                .doesNotContain("remark", "failed");
    }
}
