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
        commit(out);
        Path results = out.resolve("results.csv");
        Benchmarks.run(continued("30", "uncontended-1", out));
        String before = Files.readString(results);

        Benchmarks.run(continued("30", "uncontended-1,hot-64", out));

        assertThat(results)
                .content()
                .contains(before.substring(before.indexOf("\nuncontended-1,")))
                .containsOnlyOnce("uncontended-1,floor,1,ACQUISITIONS")
                .contains("hot-64,holdfast,1,ACQUISITIONS");
        Benchmarks.run(continued("3", "holds", out));
        assertThat(results).as("there is no time left for a round").content().doesNotContain("holds,");
    }

    /** Makes a repository, whose build has no changes since its commit. */
    private static void commit(Path repository) throws Exception {
        String commands = "git init -q && touch pom.xml && git add pom.xml"
                + " && git -c user.name=test -c user.email=test commit -qm test";
        assertThat(new ProcessBuilder("sh", "-c", commands)
                        .directory(repository.toFile())
                        .start()
                        .waitFor())
                .isZero();
    }

    private static Options continued(String minutes, String workloads, Path out) {
        return Options.parse(List.of(
                "--instant",
                "--minutes",
                minutes,
                "--only",
                workloads,
                "--systems",
                "holdfast,floor",
                "--repository",
                out.toString(),
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
