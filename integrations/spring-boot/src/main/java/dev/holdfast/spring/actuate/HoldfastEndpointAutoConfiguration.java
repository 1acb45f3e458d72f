package dev.holdfast.spring.actuate;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Configures the {@link HoldfastEndpoint}, where it is exposed. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Holdfast.class)
@ConditionalOnAvailableEndpoint(HoldfastEndpoint.class)
public final class HoldfastEndpointAutoConfiguration {
    HoldfastEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    HoldfastEndpoint holdfastEndpoint(ListableBeanFactory beans) {
        return new HoldfastEndpoint(beans);
    }
}
