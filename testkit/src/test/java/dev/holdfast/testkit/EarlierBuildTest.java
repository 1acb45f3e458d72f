package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jars of an earlier build. */
class EarlierBuildTest {
    /** The given jars come before all others; otherwise the present build would be used in its place. */
    @Test
    void classPath_beginsWithTheJars(@TempDir Path before) throws IOException {
        Path jar = Files.createFile(before.resolve("holdfast-core-0.0.1.jar"));
        Files.createFile(before.resolve("holdfast-watchdog-0.0.1.jar"));
        Files.createFile(before.resolve("holdfast-pubsub-0.0.1.jar"));

        assertThat(EarlierBuild.classPath(before))
                .startsWith(jar.toAbsolutePath().toString());
    }

    /** A directory without one of the jars is rejected: that of the present build would be used in its place. */
    @ParameterizedTest
    @ValueSource(strings = {"core", "watchdog", "pubsub"})
    void classPath_missingJar_isRefused(String missing, @TempDir Path before) throws IOException {
        for (String module : List.of("core", "watchdog", "pubsub")) {
            if (!module.equals(missing)) {
                Files.createFile(before.resolve("holdfast-" + module + "-0.0.1.jar"));
            }
        }
        Files.createFile(before.resolve("holdfast-" + missing + ".txt"));

        assertRefused(before, "without that of holdfast-" + missing);
    }

    /** A path that is no directory is rejected as a directory without the jars is. */
    @Test
    void classPath_noDirectory_isRefused(@TempDir Path parent) throws IOException {
        assertRefused(parent.resolve("missing"), "NoSuchFile");
        assertRefused(Files.createFile(parent.resolve("file")), "NotDirectory");
    }

    private static void assertRefused(Path before, String reason) {
        assertThatThrownBy(() -> EarlierBuild.classPath(before))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--before must name a directory with the jars", before.toString(), reason);
    }
}
