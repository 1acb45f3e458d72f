package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Samples;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the documentation compile in an application that has a client. */
final class ShedLockSamplesTest {
    private static final String APPLICATION = """
            import dev.holdfast.*;
            import dev.holdfast.shedlock.*;
            import net.javacrumbs.shedlock.core.LockProvider;

            class Sample {
                void sample(Holdfast holdfast) {
                    %s
                }
            }
            """;

    @Test
    void samples_compile(@TempDir Path classes) {
        List<String> samples = Samples.of(Path.of("README.md"));
        assertThat(samples).isNotEmpty();
        samples.forEach(sample -> Samples.assertCompile(Map.of("Sample", APPLICATION.formatted(sample)), classes));
    }
}
