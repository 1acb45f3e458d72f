package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.benchmarks.cold.Jars;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.watchdog.Deadlines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurement of two builds by turns. */
@Tag("slow")
@Tag("harness")
class BuildRunnerTest {
    /** Both builds are measured, the earlier one twice as often, and the table compares them. */
    @Test
    void run_twoBuilds_comparesThem(@TempDir Path directory) throws Exception {
        Path before = Files.createDirectory(directory.resolve("before"));
        pack(Holdfast.class, before.resolve("holdfast-core-0.0.1.jar"));
        pack(Deadlines.class, before.resolve("holdfast-watchdog-0.0.1.jar"));
        pack(Subscriptions.class, before.resolve("holdfast-pubsub-0.0.1.jar"));
        Path out = directory.resolve("out");

        assertThat(Benchmarks.run(Options.parse(List.of(
                        "--instant",
                        "--only",
                        "uncontended-1",
                        "--before",
                        before.toString(),
                        "--out",
                        out.toString()))))
                .as("every lock excludes")
                .isTrue();

        assertThat(out.resolve("builds.md")).content().contains("| uncontended-1 | acq/s |");
        assertThat(out.resolve("builds.csv"))
                .content()
                .contains("uncontended-1,before,2,ACQUISITIONS,", "uncontended-1,after,1,ACQUISITIONS,");
    }

    /** The compiled classes are in a jar already, or in a directory. */
    private static void pack(Class<?> one, Path jar) throws Exception {
        Path classes =
                Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isRegularFile(classes)) {
            Files.copy(classes, jar);
            return;
        }
        Jars.pack(classes, jar);
    }
}
