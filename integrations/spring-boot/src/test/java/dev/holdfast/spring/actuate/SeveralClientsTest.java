package dev.holdfast.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.metrics.HoldfastMetersAutoConfiguration;
import dev.holdfast.testkit.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Operators see all clients of an application. */
final class SeveralClientsTest {
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
                        HoldfastHealthAutoConfiguration.class,
                        HoldfastEndpointAutoConfiguration.class,
                        HoldfastMetersAutoConfiguration.class,
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=holdfast", "holdfast.label=a")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean("first", Holdfast.class, () -> client("a"), first -> first.setPrimary(true))
                .withBean("second", Holdfast.class, () -> client("b"));
    }

    private static Holdfast client(String label) {
        return Holdfast.builder()
                .redisUri(redis.uri())
                .label(label)
                .keyPrefix(label + ":")
                .build();
    }

    /** Each client has a component of the health, by the name of its bean. */
    @Test
    void health_ofEach() {
        application().run(context -> {
            CompositeHealthContributor health = context.getBean(CompositeHealthContributor.class);
            for (String name : new String[] {"first", "second"}) {
                assertThat(health.getContributor(name))
                        .isInstanceOfSatisfying(HealthIndicator.class, indicator -> assertThat(indicator.health(true))
                                .satisfies(
                                        found -> assertThat(found.getStatus()).isEqualTo(Status.UP)));
            }
        });
    }

    /** The endpoint shows each, and the locks of either. */
    @Test
    void endpoint_showsEach() {
        application().run(context -> {
            HoldfastEndpoint endpoint = context.getBean(HoldfastEndpoint.class);
            assertThat(endpoint.clients().clients()).containsOnlyKeys("first", "second");
            assertThat(endpoint.clients().clients().get("second"))
                    .satisfies(shown -> assertThat(shown.label()).isEqualTo("b"));
            String[] name = {"x"};
            context.getBean("second", Holdfast.class).getLock("x").runLocked(() -> {
                assertThat(endpoint.lock(name, null).locked()).isFalse();
                assertThat(endpoint.lock(name, "second").locked()).isTrue();
            });
            assertThatThrownBy(() -> endpoint.lock(name, "third")).isInstanceOf(InvalidEndpointRequestException.class);
        });
    }

    /** The meters of each have its label as a tag. */
    @Test
    void meters_ofEach() {
        application().run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            context.getBean("second", Holdfast.class).getLock("x").runLocked(() -> assertThat(
                            registry.get("holdfast.holds")
                                    .tag("client", "b")
                                    .gauge()
                                    .value())
                    .isEqualTo(1));
            assertThat(registry.get("holdfast.holds").tag("client", "a").gauge().value())
                    .isZero();
            assertThat(registry.find("holdfast.hold").tag("client", "b").timer())
                    .isNull();
        });
    }
}
