package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.watchdog.Deadlines;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurement of two builds by turns. */
@Tag("slow")
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
        assertThat(out.resolve("builds.json")).content().contains("\"before\": ", "\"after\": ");
    }

    /** The compiled classes are in a jar already, or in a directory. */
    private static void pack(Class<?> one, Path jar) throws Exception {
        Path classes =
                Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isRegularFile(classes)) {
            Files.copy(classes, jar);
            return;
        }
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                Files.copy(each, out);
            }
        }
    }
}
