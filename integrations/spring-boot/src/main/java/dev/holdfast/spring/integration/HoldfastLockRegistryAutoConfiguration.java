package dev.holdfast.spring.integration;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/** Configures a {@link HoldfastLockRegistry} where Spring Integration is used, unless there is another registry. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnSingleCandidate(Holdfast.class)
@ConditionalOnBooleanProperty(name = "holdfast.lock-registry.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LockRegistryProperties.class)
public final class HoldfastLockRegistryAutoConfiguration {
    HoldfastLockRegistryAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    HoldfastLockRegistry holdfastLockRegistry(Holdfast client, LockRegistryProperties properties) {
        return new HoldfastLockRegistry(client, properties.key(), properties.timeToLive());
    }
}
