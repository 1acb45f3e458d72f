package dev.holdfast.examples.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the documentation that need Spring and a database. */
final class ServiceSamplesTest {
    private static final Path TILL =
            Path.of("src", "main", "java", "dev", "holdfast", "examples", "service", "shop", "LockedTill.java");

    private static final Path MOCKED =
            Path.of("src", "test", "java", "dev", "holdfast", "examples", "service", "MockedLockTest.java");

    private static final String IMPORTS = """
            import dev.holdfast.guard.jdbc.JdbcGuard;
            import dev.holdfast.spring.autoconfigure.*;
            import dev.holdfast.spring.locked.*;
            import dev.holdfast.testkit.junit.TestRedis;
            import java.util.Map;
            import org.springframework.boot.test.context.*;
            import org.springframework.context.annotation.Bean;
            import org.springframework.jdbc.core.*;
            import org.springframework.stereotype.Repository;
            import org.springframework.test.context.*;
            import org.springframework.transaction.annotation.Transactional;

            """;

    /** The sample of the README is an excerpt of the program. */
    @Test
    void readme_showsTheProgram() throws IOException {
        String program = Files.readString(TILL).replaceAll("(?m)^ {4}", "");
        assertThat(Samples.of(Path.of("README.md"))).singleElement().satisfies(sample -> assertThat(program)
                .contains(sample));
    }

    @Test
    void fencing_compiles(@TempDir Path classes) {
        assertCompiles("docs/fencing.md", "Shipments", classes);
    }

    @Test
    void testing_compiles(@TempDir Path classes) {
        assertCompiles("docs/testing.md", "ShippingTest", classes);
    }

    /** The mocked lock of the page is that of a test. */
    @Test
    void testing_showsTheMock() throws IOException {
        String test = Files.readString(MOCKED).replaceAll("(?m)^ {8}", "");
        assertThat(Samples.of(Path.of("..", "..").resolve("docs/testing.md"), "mockito"))
                .singleElement()
                .satisfies(sample -> assertThat(test).contains(sample));
    }

    private static void assertCompiles(String page, String type, Path classes) {
        assertThat(Samples.of(Path.of("..", "..").resolve(page), "service"))
                .singleElement()
                .satisfies(sample -> Samples.assertCompile(Map.of(type, IMPORTS + sample), classes));
    }
}
