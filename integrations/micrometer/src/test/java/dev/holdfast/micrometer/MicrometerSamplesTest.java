package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Samples;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples of the documentation compile in an application that has a registry. */
final class MicrometerSamplesTest {
    private static final String APPLICATION = """
            import dev.holdfast.*;
            import dev.holdfast.micrometer.*;
            import io.micrometer.core.instrument.MeterRegistry;

            class Sample {
                void sample(MeterRegistry registry) {
                    %s
                }
            }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"integrations/micrometer/README.md", "docs/metrics.md"})
    void samples_compile(String document, @TempDir Path classes) {
        List<String> samples = Samples.of(Path.of("..", "..").resolve(document));
        assertThat(samples).isNotEmpty();
        samples.forEach(sample -> Samples.assertCompile(Map.of("Sample", APPLICATION.formatted(sample)), classes));
    }
}
