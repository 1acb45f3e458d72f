package dev.holdfast.guard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Samples;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the documentation compile in an application that has a connection and a token. */
final class RedisGuardSamplesTest {
    private static final String APPLICATION = """
            import dev.holdfast.guard.redis.*;
            import io.lettuce.core.api.StatefulRedisConnection;

            class Sample {
                void sample(StatefulRedisConnection<String, String> connection, long token) throws Exception {
                    %s
                }
            }
            """;

    @Test
    void readme_compiles(@TempDir Path classes) {
        assertCompile(Samples.of(Path.of("README.md")), classes);
    }

    @Test
    void page_compiles(@TempDir Path classes) {
        assertCompile(Samples.of(Path.of("..", "..").resolve("docs/fencing.md"), "redis"), classes);
    }

    private static void assertCompile(List<String> samples, Path classes) {
        assertThat(samples).isNotEmpty();
        samples.forEach(sample -> Samples.assertCompile(Map.of("Sample", APPLICATION.formatted(sample)), classes));
    }
}
