package dev.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import java.io.IOException;
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
        pack(
                Path.of(Holdfast.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI()),
                before);
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
    private static void pack(Path classes, Path directory) throws IOException {
        Path jar = directory.resolve("holdfast-core-0.0.1.jar");
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
