package dev.holdfast.spring.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.locked.CurrentLock;
import dev.holdfast.spring.locked.Locked;
import dev.holdfast.testkit.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** An application whose only dependency is the starter has all that needs no other library. */
final class StarterAloneTest {
    private static RedisServer redis;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        application = SpringApplication.run(Application.class, "--holdfast.redis-uri=" + redis.uri());
    }

    @AfterAll
    static void stop() {
        application.close();
        redis.close();
    }

    /** The class path of these tests lacks every library that the starter has no need of. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.micrometer.core.instrument.MeterRegistry",
                "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
                "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
                "org.springframework.boot.health.contributor.HealthIndicator",
                "org.springframework.integration.support.locks.LockRegistry",
                "org.springframework.transaction.support.TransactionSynchronization"
            })
    void classPath_lacksOptionalLibraries(String type) {
        assertThatThrownBy(() -> Class.forName(type)).isInstanceOf(ClassNotFoundException.class);
    }

    /** A blocking method holds its lock, and releases it. */
    @Test
    void blockingMethod_holdsAndReleases() {
        assertThat(application.getBean(Work.class).held()).isTrue();
        assertFree("blocking");
    }

    /** So does one that throws. */
    @Test
    void failingMethod_releases() {
        assertThatThrownBy(() -> application.getBean(Work.class).fail()).hasMessage("by design");
        assertFree("failing");
    }

    /** So does a future. */
    @Test
    void future_holdsAndReleases() {
        assertThat(application.getBean(Work.class).later().toCompletableFuture().join())
                .isTrue();
        assertFree("future");
    }

    private static void assertFree(String name) {
        assertThat(application.getBean(Holdfast.class).getLock(name).isLocked()).isFalse();
    }

    /** Methods under locks. */
    static class Work {
        @Locked(name = "blocking")
        public boolean held() {
            return CurrentLock.isHeld("blocking");
        }

        @Locked(name = "failing")
        public void fail() {
            throw new IllegalStateException("by design");
        }

        @Locked(name = "future")
        public CompletionStage<Boolean> later() {
            return CompletableFuture.completedFuture(CurrentLock.isHeld("future"));
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Work work() {
            return new Work();
        }
    }
}
