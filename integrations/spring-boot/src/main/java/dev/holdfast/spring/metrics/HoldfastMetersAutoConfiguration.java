package dev.holdfast.spring.metrics;

import dev.holdfast.Holdfast;
import dev.holdfast.micrometer.HoldfastMeters;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Configures the {@link HoldfastMeters} of each client where there is a meter registry. As a listener, they are added to
 * the client that the auto-configuration builds; as a binder, Spring Boot binds them to its registries.
 */
@AutoConfiguration(
        after = HoldfastAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({HoldfastMeters.class, MeterRegistry.class})
@ConditionalOnBean({Holdfast.class, MeterRegistry.class})
@ConditionalOnBooleanProperty(name = "holdfast.metrics.enabled", matchIfMissing = true)
public final class HoldfastMetersAutoConfiguration {
    private static final String NO_LABEL = "none";

    HoldfastMetersAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    HoldfastMeters holdfastMeters(Environment environment) {
        String label =
                environment.getProperty("holdfast.label", environment.getProperty("spring.application.name", NO_LABEL));
        return HoldfastMeters.create().withTags(client(label));
    }

    /** The meters exist before the client, which they listen to. */
    @Bean
    SmartInitializingSingleton holdfastMetersWatch(
            ObjectProvider<HoldfastMeters> meters, ObjectProvider<Holdfast> client) {
        return () -> meters.ifUnique(unique -> client.ifUnique(unique::watch));
    }

    /** Other clients have no listener, so their meters are those of their statistics. */
    @Bean
    MeterBinder holdfastMetersOfOthers(ListableBeanFactory beans, ObjectProvider<Holdfast> client) {
        return registry -> {
            Holdfast watched = client.getIfUnique();
            beans.getBeansOfType(Holdfast.class).forEach((name, other) -> {
                if (other != watched) {
                    HoldfastMeters ofOther = HoldfastMeters.create()
                            .withTags(client(other.label().orElse(name)))
                            .withoutTimers();
                    ofOther.watch(other);
                    ofOther.bindTo(registry);
                }
            });
        };
    }

    private static Tag client(String label) {
        return Tag.of("client", label);
    }
}
