package dev.holdfast.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Samples;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the README compile in an application that has a connection and a token. */
final class JdbcGuardSamplesTest {
    private static final String APPLICATION = """
            import dev.holdfast.guard.jdbc.*;
            import java.sql.Connection;
            import java.util.Map;

            class Sample {
                void sample(Connection connection, long token) throws Exception {
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
