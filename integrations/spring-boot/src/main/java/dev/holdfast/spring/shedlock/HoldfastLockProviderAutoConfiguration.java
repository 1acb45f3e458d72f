package dev.holdfast.spring.shedlock;

import dev.holdfast.Holdfast;
import dev.holdfast.shedlock.HoldfastLockProvider;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Configures a {@linkplain HoldfastLockProvider#renewed renewed} lock provider where {@code holdfast-shedlock} is used,
 * unless there is another one.
 */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({LockProvider.class, HoldfastLockProvider.class})
@ConditionalOnSingleCandidate(Holdfast.class)
public final class HoldfastLockProviderAutoConfiguration {
    HoldfastLockProviderAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(LockProvider.class)
    HoldfastLockProvider holdfastLockProvider(Holdfast client) {
        return HoldfastLockProvider.renewed(client);
    }
}
