package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole runner at its shortest pace: processes, phases, figures, report. */
@Tag("slow")
@Tag("harness")
class RunnerTest {
    /** A run with a limit of time measures what the one before has not, and keeps the rest. */
    @Test
    void run_again_continues(@TempDir Path out) throws Exception {
        Path results = out.resolve("results.csv");
        Benchmarks.run(continued("uncontended-1", out));
        String before = Files.readString(results);

        Benchmarks.run(continued("uncontended-1,hot-64", out));

        assertThat(results)
                .content()
                .contains(before.substring(before.indexOf("\nuncontended-1,")))
                .containsOnlyOnce("uncontended-1,floor,1,ACQUISITIONS")
                .contains("hot-64,holdfast,1,ACQUISITIONS");
        Benchmarks.run(Options.parse(List.of(
                "--instant", "--minutes", "3", "--only", "holds", "--systems", "holdfast", "--out", out.toString())));
        assertThat(results).as("there is no time left for a round").content().doesNotContain("holds,");
    }

    private static Options continued(String workloads, Path out) {
        return Options.parse(List.of(
                "--instant",
                "--minutes",
                "30",
                "--only",
                workloads,
                "--systems",
                "holdfast,floor",
                "--out",
                out.toString()));
    }

    /** The report has the measured figures, and the reason for what cannot be measured. */
    @Test
    void run_someWorkloads_writesTheReport(@TempDir Path out) throws Exception {
        Options options = Options.parse(List.of(
                "--instant",
                "--only",
                "uncontended-1,sections-200us",
                "--systems",
                "holdfast,floor,jdk",
                "--out",
                out.toString()));

        assertThat(Benchmarks.run(options)).as("every lock excludes").isTrue();

        assertThat(out.resolve("README.md"))
                .content()
                .contains(
                        "--instant --only uncontended-1,sections-200us",
                        "| Holdfast |",
                        "two bare EVALSHA: it does not exclude",
                        "fair ReentrantLock: it is of one process");
        assertThat(out.resolve("results.csv"))
                .content()
                .containsPattern("(?m)^uncontended-1,holdfast,1,ACQUISITIONS,\\d")
                .containsPattern("(?m)^sections-200us,holdfast,1,IDEAL,\\d")
                .containsPattern("(?m)^sections-200us,jdk,1,IDEAL,[\\d.]*[1-9]")
                .contains("sections-200us,jdk,1,VIOLATIONS,0");
    }
}
