package dev.holdfast.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** With {@code holdfast.connect=background} an application starts before its Redis, and has its locks when that is there. */
final class ConnectInBackgroundTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HoldfastAutoConfiguration.class, HoldfastHealthAutoConfiguration.class));

    /** It is down and its calls fail until Redis can be reached; then it is up and has the lock. */
    @Test
    void background_startsBeforeRedis() {
        try (RedisServer redis = RedisServer.start();
                FaultProxy proxy = FaultProxy.inFrontOf(redis)) {
            proxy.refuse();
            application
                    .withPropertyValues(
                            "holdfast.redis-uri=" + proxy.uri(),
                            "holdfast.connect=background",
                            "holdfast.command-timeout=1s",
                            "holdfast.failover-timeout=1s")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        Holdfast client = context.getBean(Holdfast.class);
                        HoldfastHealthIndicator indicator = context.getBean(HoldfastHealthIndicator.class);
                        assertThat(status(indicator)).isEqualTo(Status.DOWN);
                        assertThatThrownBy(() -> client.getLock("early").acquire())
                                .isInstanceOf(LockException.class);
                        proxy.accept();
                        Awaitility.await()
                                .atMost(Duration.ofSeconds(60))
                                .until(() -> Status.UP.equals(status(indicator)));
                        try (Lease lease = client.getLock("early").acquire()) {
                            assertThat(lease.isValid()).isTrue();
                            assertThat(redis.keys()).contains("early");
                        }
                    });
        }
    }

    /** The default connects first. */
    @Test
    void eager_isDefault() {
        try (RedisServer redis = RedisServer.start();
                FaultProxy proxy = FaultProxy.inFrontOf(redis)) {
            proxy.refuse();
            application.withPropertyValues("holdfast.redis-uri=" + proxy.uri()).run(context -> assertThat(context)
                    .hasFailed());
            application
                    .withPropertyValues("holdfast.redis-uri=" + proxy.uri(), "holdfast.connect=eager")
                    .run(context -> assertThat(context).hasFailed());
        }
    }

    private static Status status(HoldfastHealthIndicator indicator) {
        Health health = indicator.health();
        assertThat(health).isNotNull();
        return health.getStatus();
    }
}
