package dev.holdfast.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The health of the client is that of its connections, and is known without a round trip. */
final class HoldfastHealthIndicatorTest {
    private static RedisServer redis;

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HoldfastAutoConfiguration.class, HoldfastHealthAutoConfiguration.class));

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private static Health health(HoldfastHealthIndicator indicator) {
        Health health = indicator.health();
        assertThat(health).isNotNull();
        return health;
    }

    /** It is up while connected, and down while Redis cannot be reached; it sends nothing. */
    @Test
    void health_isConnection() {
        try (FaultProxy proxy = FaultProxy.inFrontOf(redis)) {
            application.withPropertyValues("holdfast.redis-uri=" + proxy.uri()).run(context -> {
                HoldfastHealthIndicator indicator = context.getBean(HoldfastHealthIndicator.class);
                Lease lease = context.getBean(Holdfast.class).getLock("healthy").acquire();
                proxy.resetCounters();
                assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
                assertThat(health(indicator).getDetails())
                        .containsEntry("holds", 1L)
                        .containsEntry("waiters", 0L)
                        .containsEntry("lost", 0L);
                assertThat(proxy.bytes(Direction.REQUESTS)).isZero();
                proxy.refuse();
                proxy.cutRst();
                Eventually.await()
                        .until(() -> Status.DOWN.equals(health(indicator).getStatus()));
                assertThat(String.valueOf(health(indicator).getDetails().get("problems")))
                        .contains("server=", "reason=", "since=")
                        .contains(String.valueOf(proxy.port()));
                proxy.accept();
                Eventually.await()
                        .until(() -> Status.UP.equals(health(indicator).getStatus()));
                assertThat(health(indicator).getDetails()).doesNotContainKey("problems");
                lease.close();
            });
        }
    }

    /** It is absent if it was disabled, or where health is. */
    @Test
    void health_isOptional() {
        ApplicationContextRunner connected = application.withPropertyValues("holdfast.redis-uri=" + redis.uri());
        connected
                .withPropertyValues("management.health.holdfast.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HoldfastHealthIndicator.class));
        connected
                .withClassLoader(new FilteredClassLoader(HealthIndicator.class))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Holdfast.class));
    }
}
