package dev.holdfast.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.shedlock.HoldfastLockProvider;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** ShedLock has a provider of renewed locks, unless the application has another one. */
final class HoldfastLockProviderAutoConfigurationTest {
    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HoldfastAutoConfiguration.class, HoldfastLockProviderAutoConfiguration.class))
                .withPropertyValues("holdfast.redis-uri=" + redis.uri());
    }

    /** Its locks are renewed: they outlive the limit of their task. */
    @Test
    void provider_isRenewed() {
        application().run(context -> {
            SimpleLock lock = context.getBean(LockProvider.class)
                    .lock(new LockConfiguration(ClockProvider.now(), "task", Duration.ofMillis(1), Duration.ZERO))
                    .orElseThrow();
            Optional<Duration> lease =
                    context.getBean(Holdfast.class).getLock("shedlock:task").remainingLease();
            assertThat(lease).hasValueSatisfying(left -> assertThat(left).isGreaterThan(Duration.ofSeconds(5)));
            lock.unlock();
        });
    }

    /** Another provider stays the only one; and without ShedLock there is none. */
    @Test
    void provider_isOptional() {
        LockProvider others = task -> Optional.empty();
        application()
                .withBean(LockProvider.class, () -> others)
                .run(context -> assertThat(context.getBean(LockProvider.class)).isSameAs(others));
        application()
                .withClassLoader(new FilteredClassLoader(HoldfastLockProvider.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockProvider.class));
    }
}
