package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole runner at its shortest pace: processes, phases, figures, report. */
@Tag("slow")
class RunnerTest {
    /** The report has the measured figures, with a chart, and the reason for what cannot be measured. */
    @Test
    void run_someWorkloads_writesTheReport(@TempDir Path out) throws Exception {
        Options options = Options.parse(List.of(
                "--instant", "--only", "uncontended-1,hot-2", "--systems", "holdfast,floor", "--out", out.toString()));

        assertThat(Benchmarks.run(options)).as("every lock excludes").isTrue();

        assertThat(out.resolve("README.md"))
                .content()
                .contains(
                        "--instant --only uncontended-1,hot-2",
                        "| Holdfast |",
                        "two bare EVALSHA: it does not exclude");
        assertThat(out.resolve("hot-2.svg")).content().startsWith("<svg").contains("Holdfast");
        assertThat(out.resolve("results.json")).content().contains("\"ACQUISITIONS\": ", "\"SCRIPTS\": ");
        assertThat(out).isDirectoryContaining("glob:**/uncontended-1.svg");
    }
}
