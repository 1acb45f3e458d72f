package dev.holdfast.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/**
 * The client is connected to a container that is a service connection, and to no server that properties name. Skipped
 * where there is no Docker, or Docker cannot get the image.
 */
final class ContainerConnectionTest {
    private static final int PORT = 6379;

    @BeforeEach
    void skipWithoutImage() {
        RedisImage.assumeAvailable();
    }

    /** The lock is in the Redis of the container. */
    @Test
    void container_isUsed() {
        SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("spring.data.redis.host=unused.invalid", "spring.data.redis.port=1");
        try (ConfigurableApplicationContext context = application.run();
                RedisServer redis = serverOf(context.getBean(GenericContainer.class));
                Lease lease =
                        context.getBean(Holdfast.class).getLock("in-container").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(redis.keys()).contains("in-container");
        }
    }

    private static RedisServer serverOf(GenericContainer<?> container) {
        return RedisServer.at("redis://" + container.getHost() + ":" + container.getMappedPort(PORT));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ServiceConnectionAutoConfiguration.class,
        DataRedisAutoConfiguration.class,
        HoldfastAutoConfiguration.class
    })
    static class Application {
        @Bean
        @ServiceConnection("redis") // its image is not known before it is created
        GenericContainer<?> redis() {
            return new GenericContainer<>(RedisImage.NAME)
                    .withExposedPorts(PORT)
                    .waitingFor(Wait.forLogMessage(".*Ready to accept connections.*", 1));
        }
    }
}
