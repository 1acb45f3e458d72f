package dev.holdfast.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * The client is connected to the Redis of a compose file, and to no server that properties name. Skipped where there is
 * no Docker Compose, or Docker cannot get the image.
 */
final class ComposeConnectionTest {
    private final Path file;

    ComposeConnectionTest(@TempDir Path directory) throws IOException {
        file = Files.writeString(directory.resolve("compose.yaml"), """
                services:
                  locks:
                    image: %s
                    ports: ["6379"]
                """.formatted(RedisImage.NAME));
    }

    @BeforeEach
    void skipWithoutCompose() throws InterruptedException {
        RedisImage.assumeAvailable();
        assumeTrue(composeAnswers(), "no Docker Compose answers here");
    }

    private boolean composeAnswers() throws InterruptedException {
        try {
            return compose("version") == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return the exit code} */
    private int compose(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("docker", "compose", "--file", file.toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** The lock is in the Redis that Spring Boot has started. */
    @Test
    void compose_isUsed() throws IOException, InterruptedException {
        SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.data.redis.host=unused.invalid",
                        "spring.data.redis.port=1",
                        "spring.docker.compose.skip.in-tests=false",
                        "spring.docker.compose.lifecycle-management=start-only",
                        "spring.docker.compose.file=" + file);
        try (ConfigurableApplicationContext context = application.run();
                RedisServer redis = serverOf(context.getBean(DataRedisConnectionDetails.class));
                Lease lease =
                        context.getBean(Holdfast.class).getLock("in-compose").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(redis.keys()).contains("in-compose");
        } finally {
            // Spring Boot would stop it when the JVM ends, and the file does not exist any more then.
            assertThat(compose("down", "--timeout", "0")).isZero();
        }
    }

    private static RedisServer serverOf(DataRedisConnectionDetails details) {
        DataRedisConnectionDetails.Standalone standalone =
                Objects.requireNonNull(details.getStandalone(), "one server");
        return RedisServer.at("redis://" + standalone.getHost() + ":" + standalone.getPort());
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({DataRedisAutoConfiguration.class, HoldfastAutoConfiguration.class})
    static class Application {}
}
