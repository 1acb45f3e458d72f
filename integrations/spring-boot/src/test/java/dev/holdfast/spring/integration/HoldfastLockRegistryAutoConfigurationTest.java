package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** There is a lock registry where Spring Integration is used. */
final class HoldfastLockRegistryAutoConfigurationTest {
    private static RedisServer redis;

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HoldfastAutoConfiguration.class, HoldfastLockRegistryAutoConfiguration.class))
                .withPropertyValues("holdfast.redis-uri=" + redis.uri());
    }

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    /** Its locks have the key and the time-to-live of the properties. */
    @Test
    void properties_areApplied() {
        application()
                .withPropertyValues("holdfast.lock-registry.key=integration", "holdfast.lock-registry.time-to-live=5m")
                .run(context -> {
                    Lock lock = context.getBean(HoldfastLockRegistry.class).obtain("k");
                    lock.lock();
                    try {
                        assertThat(context.getBean(Holdfast.class)
                                        .getLock("integration:k")
                                        .remainingLease()
                                        .orElse(Duration.ZERO))
                                .isGreaterThan(Duration.ofMinutes(4));
                    } finally {
                        lock.unlock();
                    }
                });
    }

    /** A time-to-live that no hold can have is refused when the application starts. */
    @Test
    void timeToLive_isChecked() {
        application()
                .withPropertyValues("holdfast.lock-registry.time-to-live=0")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("holdfast.lock-registry.time-to-live"));
    }

    /** Another registry of the application's, a missing Spring Integration or the property leave it out. */
    @Test
    void registry_isOptional() {
        application()
                .withBean(LockRegistry.class, DefaultLockRegistry::new)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HoldfastLockRegistry.class));
        application()
                .withClassLoader(new FilteredClassLoader("org.springframework.integration"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Holdfast.class));
        application()
                .withPropertyValues("holdfast.lock-registry.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockRegistry.class));
    }
}
