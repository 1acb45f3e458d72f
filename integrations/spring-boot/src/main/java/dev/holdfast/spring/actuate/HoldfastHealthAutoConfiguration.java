package dev.holdfast.spring.actuate;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.CompositeHealthContributorConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Configures the {@link HoldfastHealthIndicator} of the client; or one for each, by the name of its bean, if there are several. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Holdfast.class)
@ConditionalOnEnabledHealthIndicator("holdfast")
public final class HoldfastHealthAutoConfiguration
        extends CompositeHealthContributorConfiguration<HoldfastHealthIndicator, Holdfast> {
    HoldfastHealthAutoConfiguration() {
        super(HoldfastHealthIndicator::new);
    }

    @Bean
    @ConditionalOnMissingBean(name = {"holdfastHealthIndicator", "holdfastHealthContributor"})
    HealthContributor holdfastHealthContributor(ConfigurableListableBeanFactory beans) {
        return createContributor(beans, Holdfast.class);
    }
}
