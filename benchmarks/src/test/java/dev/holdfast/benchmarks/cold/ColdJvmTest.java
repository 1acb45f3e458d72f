package dev.holdfast.benchmarks.cold;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.benchmarks.system.LockSystem;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The processes that are started cold. */
class ColdJvmTest {
    /** A process without its archive is not measured as one that has it. */
    @Test
    void run_archiveMissing_fails(@TempDir Path directory) {
        ColdJvm jvm =
                new ColdJvm(LockSystem.HOLDFAST, System.getProperty("java.class.path"), directory.resolve("none"));

        assertThatThrownBy(() -> jvm.run("redis://localhost:1", 0, true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shared archive");
    }
}
