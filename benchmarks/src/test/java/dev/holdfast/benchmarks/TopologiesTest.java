package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole runner, with the workloads on more than one server; beside {@link RunnerTest}, to save time. */
@Tag("slow")
class TopologiesTest {
    /** Workloads of one server run on a cluster too, and those with replicated locks have replicas there. */
    @Test
    void run_cluster_endsWell(@TempDir Path out) throws Exception {
        run(out, "uncontended-1,cluster-hot-64,beside-8", "replicated,selected");

        assertThat(out.resolve("README.md"))
                .content()
                .contains(
                        "| uncontended-1 | acq/s | n/a | n/a |",
                        "Holdfast, some replicated: as Holdfast: none of these locks is selected");
        assertThat(out.resolve("results.json"))
                .content()
                .contains("\"WAITS\": ")
                .containsPattern("\"IN_FLIGHT\": [1-9]");
    }

    /** Locks are acquired together on one server and on several, and in any order. */
    @Test
    void run_severalLocks_endsWell(@TempDir Path out) throws Exception {
        run(out, "multi-3-link,multi-4x1", "holdfast");

        assertThat(out.resolve("results.json"))
                .content()
                .contains("\"ROUND_TRIPS\": ", "\"UNDONE\": ", "\"RESTARTS\": 0")
                .doesNotContain("remark");
    }

    /** A master is killed or replaced, and the lock is acquired again. */
    @Test
    void run_failover_endsWell(@TempDir Path out) throws Exception {
        run(out, "failover-cluster,failover-cluster-takeover,failover-sentinel", "holdfast");

        assertThat(out.resolve("results.json"))
                .content()
                .containsPattern(
                        "(?s)failover-cluster\\b.*\"STANDSTILL\": [1-9]\\d{3}.*failover-sentinel.*\"STANDSTILL\": [1-9]\\d{3}")
                .containsPattern("(?s)failover-cluster-takeover.*\"STANDSTILL\": \\d")
                .doesNotContain("remark");
    }

    /** A master is killed, and the locks of the others go on meanwhile. */
    @Test
    void run_besideAFailover_endsWell(@TempDir Path out) throws Exception {
        run(out, "failover-beside", "holdfast");

        assertThat(out.resolve("results.json"))
                .content()
                .containsPattern("\"ACQUISITIONS\": [1-9]")
                .containsPattern("\"CALM_WAIT_P99\": [1-9]")
                .containsPattern("\"STANDSTILL\": [1-9]\\d{3}")
                .contains("\"FAILURES\": 0")
                .doesNotContain("remark");
    }

    /** All replicas are stopped, and the locks that need none go on meanwhile, beside others that are refused. */
    @Test
    void run_besidePausedReplicas_endsWell(@TempDir Path out) throws Exception {
        run(out, "beside-paused-replicas", "selected");

        assertThat(out.resolve("results.json"))
                .content()
                .containsPattern("\"ACQUISITIONS\": [1-9]")
                .containsPattern("\"CALM_WAIT_P99\": [1-9]")
                .containsPattern("\"FAILURES\": [1-9]")
                .doesNotContain("remark");
    }

    private static void run(Path out, String workloads, String systems) throws InterruptedException {
        Options options = Options.parse(List.of(
                "--instant", "--window", "0.5", "--only", workloads, "--systems", systems, "--out", out.toString()));

        assertThat(Benchmarks.run(options)).as("every lock excludes").isTrue();
    }
}
