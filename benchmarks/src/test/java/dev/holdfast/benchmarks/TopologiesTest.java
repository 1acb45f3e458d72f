package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole runner, with the workloads on more than one server; beside {@link RunnerTest} and {@link OutagesTest}, to save time. */
@Tag("slow")
@Tag("harness")
class TopologiesTest {
    /** Workloads of one server run on a cluster too, and those with replicated locks have replicas there. */
    @Test
    void run_cluster_endsWell(@TempDir Path out) throws Exception {
        InstantRun.of(out, "uncontended-1,cluster-hot-64,beside-8", "replicated,selected");

        assertThat(out.resolve("README.md"))
                .content()
                .contains(
                        "Holdfast, replicated: there is no replica",
                        "Holdfast, some replicated: as Holdfast: none of these locks is selected");
        assertThat(out.resolve("results.csv")).content().contains("WAITS,").containsPattern("IN_FLIGHT,[1-9]");
    }

    /** Locks are acquired together on one server and on several, and in any order. */
    @Test
    void run_severalLocks_endsWell(@TempDir Path out) throws Exception {
        InstantRun.of(out, "multi-3-link,multi-4x1", "holdfast");

        assertThat(out.resolve("results.csv"))
                .content()
                .contains("ROUND_TRIPS,", "UNDONE,", "RESTARTS,0")
                .doesNotContain("remark", "failed");
    }
}
