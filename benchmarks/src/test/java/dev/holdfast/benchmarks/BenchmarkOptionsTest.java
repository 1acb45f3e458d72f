package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Pace;
import dev.holdfast.benchmarks.workload.Workload;
import dev.holdfast.benchmarks.workload.Workloads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The parsing of a command line. */
class BenchmarkOptionsTest {
    /** Without options, everything is run in full, and the report is written to the documentation. */
    @Test
    void parse_nothing_runsAllInFullIntoTheDocumentation() {
        Options options = Options.parse(List.of("--repository", "root"));

        assertThat(options.workloads()).isEqualTo(Workloads.all());
        assertThat(options.systems(options.workloads().get(0)))
                .as("those of the workload")
                .containsExactly(LockSystem.HOLDFAST, LockSystem.REDISSON, LockSystem.SPRING, LockSystem.FLOOR);
        assertThat(options.pace()).isEqualTo(Pace.FULL);
        assertThat(options.out()).isEqualTo(Path.of("root/docs/benchmarks"));
        assertThat(options.given()).isEmpty();
    }

    /** A quick run does not overwrite the published figures. */
    @Test
    void parse_quick_writesElsewhere() {
        assertThat(Options.parse(List.of("--quick")).out()).isEqualTo(Path.of("benchmarks/target/report"));
    }

    /** Directories are relative to the root of the repository, wherever the build runs the program. */
    @Test
    void parse_directories_areOfTheRepository() {
        assertThat(Options.parse(List.of("--repository", "root/module/..", "--out", "../mine"))
                        .out())
                .isEqualTo(Path.of("mine"));
        assertThatThrownBy(() -> Options.parse(List.of("--repository", "root", "--before", "missing")))
                .hasMessageContaining(Path.of("root/missing").toString());
    }

    /** A prefix with a star selects all names that begin with it; the order is that of the report. */
    @Test
    void parse_only_choosesWorkloadsAndSystems() {
        Options options = Options.parse(List.of(
                "--only", "hot-*,uncontended-1", "--systems", "redisson,holdfast", "--window", "0.5", "--rounds", "3"));

        assertThat(options.workloads().stream().map(Workload::id))
                .containsExactly("uncontended-1", "hot-64", "hot-4x8");
        assertThat(options.systems(options.workloads().get(0)))
                .containsExactly(LockSystem.HOLDFAST, LockSystem.REDISSON);
        assertThat(options.pace())
                .isEqualTo(Pace.FULL.withWindow(Duration.ofMillis(500)).withRounds(3));
        assertThat(options.given())
                .isEqualTo("--only hot-*,uncontended-1 --systems redisson,holdfast --window 0.5 --rounds 3");
    }

    /** Unknown names are rejected, and the message lists the known ones. */
    @Test
    void parse_unknown_isRefused() {
        assertThatThrownBy(() -> Options.parse(List.of("--only", "lukewarm")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hot-64");
        assertThatThrownBy(() -> Options.parse(List.of("--systems", "zookeeper")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redisson");
        assertThatThrownBy(() -> Options.parse(List.of("--before", "missing")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holdfast-core");
        assertThatThrownBy(() -> Options.parse(List.of("--slow"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Options.parse(List.of("--rounds"))).isInstanceOf(IllegalArgumentException.class);
    }
}
