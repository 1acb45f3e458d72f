package dev.holdfast.spring.metrics;

import dev.holdfast.Holdfast;
import dev.holdfast.micrometer.HoldfastMeters;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Configures the {@link HoldfastMeters} of the client where there is a meter registry. As a listener, they are added to
 * the client that the auto-configuration builds; as a binder, Spring Boot binds them to its registries.
 */
@AutoConfiguration(
        after = HoldfastAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({HoldfastMeters.class, MeterRegistry.class})
@ConditionalOnSingleCandidate(Holdfast.class)
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "holdfast.metrics.enabled", matchIfMissing = true)
public final class HoldfastMetersAutoConfiguration {
    HoldfastMetersAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    HoldfastMeters holdfastMeters() {
        return HoldfastMeters.create();
    }

    /** The meters exist before the client, which they listen to. */
    @Bean
    SmartInitializingSingleton holdfastMetersWatch(ObjectProvider<HoldfastMeters> meters, Holdfast client) {
        return () -> meters.ifUnique(unique -> unique.watch(client));
    }
}
