package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars of an earlier build. */
class EarlierBuildTest {
    /** The given jars come before all others; otherwise the present build would be used in its place. */
    @Test
    void classPath_beginsWithTheJars(@TempDir Path before) throws IOException {
        Path jar = Files.createFile(before.resolve("holdfast-core-0.0.1.jar"));

        assertThat(EarlierBuild.classPath(before))
                .startsWith(jar.toAbsolutePath().toString());
    }

    /** A directory without the jars is rejected: the present build would be used in its place. */
    @Test
    void classPath_noJars_isRefused(@TempDir Path empty) {
        assertThatThrownBy(() -> EarlierBuild.classPath(empty))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holdfast-core");
    }
}
