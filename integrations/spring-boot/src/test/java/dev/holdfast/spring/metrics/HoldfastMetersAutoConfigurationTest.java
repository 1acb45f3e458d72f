package dev.holdfast.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.micrometer.HoldfastMeters;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The client of an application with a meter registry has meters. */
final class HoldfastMetersAutoConfigurationTest {
    private static RedisServer redis;

    private static ApplicationContextRunner unmetered() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(HoldfastAutoConfiguration.class, HoldfastMetersAutoConfiguration.class))
                .withPropertyValues("holdfast.redis-uri=" + redis.uri());
    }

    private static ApplicationContextRunner metered() {
        return unmetered()
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new);
    }

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    /** The meters show what the client counts, and time what it reports; they are bound without further beans. */
    @Test
    void meters_areThoseOfClient() {
        metered().run(context -> {
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            context.getBean(Holdfast.class).getLock("metered").runLocked(() -> assertThat(
                            registry.get("holdfast.holds").gauge().value())
                    .isEqualTo(1));
            assertThat(registry.get("holdfast.connected").gauge().value()).isEqualTo(1);
            assertThat(registry.get("holdfast.acquired").functionCounter().count())
                    .isEqualTo(1);
            Eventually.await().until(() -> registry.get("holdfast.hold").timer().count() == 1);
        });
    }

    /** Meters of the application's own replace them, and are those of the client as well. */
    @Test
    void ownMeters_replace() {
        metered()
                .withBean("mine", HoldfastMeters.class, () -> HoldfastMeters.create()
                        .withTags(Tag.of("client", "orders")))
                .run(context -> {
                    assertThat(context).hasSingleBean(HoldfastMeters.class).hasBean("mine");
                    context.getBean(Holdfast.class).getLock("mine").runLocked(() -> {});
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    assertThat(registry.get("holdfast.acquired")
                                    .tag("client", "orders")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(1);
                });
    }

    /** The property, no registry, no client, or a class path without the meters or Micrometer leave them out. */
    @Test
    void meters_areOptional() {
        metered()
                .withPropertyValues("holdfast.metrics.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HoldfastMeters.class));
        metered()
                .withPropertyValues("holdfast.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HoldfastMeters.class));
        unmetered().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HoldfastMeters.class));
        for (String absent : new String[] {"dev.holdfast.micrometer", "io.micrometer.core"}) {
            metered().withClassLoader(new FilteredClassLoader(absent)).run(context -> assertThat(context)
                    .hasNotFailed()
                    .hasSingleBean(Holdfast.class)
                    .doesNotHaveBean("holdfastMeters"));
        }
    }
}
