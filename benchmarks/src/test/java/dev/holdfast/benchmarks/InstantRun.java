package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

/** A run of the whole runner, with windows that are too short to measure anything. */
final class InstantRun {
    private InstantRun() {}

    /** Runs these workloads, and fails if a lock has not excluded. */
    static void of(Path out, String workloads, String systems) throws InterruptedException {
        Options options = Options.parse(List.of(
                "--instant", "--window", "0.5", "--only", workloads, "--systems", systems, "--out", out.toString()));

        assertThat(Benchmarks.run(options)).as("every lock excludes").isTrue();
    }
}
