package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Samples;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every code sample of the documentation about Spring compiles as a user's own class would. */
final class SpringSamplesTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern NAME = Pattern.compile("class (\\w+)");

    /** What a reader takes as given. */
    private static final String GIVEN = """
            package given;

            import reactor.core.publisher.Mono;

            public final class Given {
                public record Order(int id) {
                    public void markShipped() {}
                }

                public static String order(String item) {
                    return item;
                }

                public static void writeReport() {}

                public static void write(String table, long token) {}

                public static Mono<String> fetch(String item) {
                    return Mono.just(item);
                }
            }
            """;

    private static final String IMPORTS = """
            package sample;

            import dev.holdfast.*;
            import dev.holdfast.shedlock.*;
            import dev.holdfast.spring.autoconfigure.*;
            import dev.holdfast.spring.integration.HoldfastLockRegistry;
            import dev.holdfast.spring.locked.*;
            import static given.Given.*;
            import java.time.Duration;
            import java.util.Optional;
            import net.javacrumbs.shedlock.core.LockProvider;
            import org.springframework.boot.SpringApplication;
            import org.springframework.boot.autoconfigure.SpringBootApplication;
            import org.springframework.context.annotation.Bean;
            import org.springframework.context.annotation.Configuration;
            import org.springframework.integration.leader.DefaultCandidate;
            import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
            import org.springframework.http.HttpStatus;
            import org.springframework.http.ResponseEntity;
            import org.springframework.scheduling.annotation.Scheduled;
            import org.springframework.stereotype.Service;
            import org.springframework.transaction.annotation.Transactional;
            import org.springframework.web.bind.annotation.ExceptionHandler;
            import org.springframework.web.bind.annotation.RestControllerAdvice;
            import reactor.core.publisher.Mono;

            """;

    @TestFactory
    Stream<DynamicTest> samples_compile(@TempDir Path classes) {
        return Stream.of(
                        "integrations/spring-boot/README.md",
                        "integrations/spring-boot-starter/README.md",
                        "docs/spring.md")
                .flatMap(document -> tests(document, Samples.of(ROOT.resolve(document)), classes));
    }

    /** Those of pages that are not about Spring alone. */
    @TestFactory
    Stream<DynamicTest> samplesElsewhere_compile(@TempDir Path classes) {
        return Stream.of("README.md", "docs/migrating-from-spring.md")
                .flatMap(document -> tests(document, Samples.of(ROOT.resolve(document), "spring"), classes));
    }

    private static Stream<DynamicTest> tests(String document, List<String> samples, Path classes) {
        assertThat(samples).as(document).isNotEmpty();
        return samples.stream()
                .map(sample -> DynamicTest.dynamicTest(
                        document + ", " + nameOf(sample),
                        () -> Samples.assertCompile(
                                Map.of("given/Given", GIVEN, "sample/" + nameOf(sample), IMPORTS + sample), classes)));
    }

    private static String nameOf(String sample) {
        Matcher name = NAME.matcher(sample);
        assertThat(name.find()).as(sample).isTrue();
        return name.group(1);
    }
}
