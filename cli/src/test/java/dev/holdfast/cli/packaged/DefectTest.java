package dev.holdfast.cli.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The program fails by something that it does not expect. */
@Tag("slow")
final class DefectTest {
    /** The exit code is not 1, which means that a lock is free. Here, Java lacks the module that has signals. */
    @Test
    void noSignals_hasOwnCode() throws Exception {
        ProcessBuilder builder = HoldfastProcess.builder("redis://127.0.0.1:1", "run", "jobs", "--", "true");
        builder.environment().put("HOLDFAST_JAVA_OPTS", "--limit-modules=java.base");
        Process holdfast = builder.start();

        assertThat(new String(holdfast.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("jdk.unsupported", "\tat dev.holdfast.cli.");
        assertThat(holdfast.waitFor()).isEqualTo(125);
    }
}
