package dev.holdfast.spring.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The origins of an address; the first that applies is used. Which one that is, is decided when the bean is created and
 * not by a condition: ahead-of-time processing evaluates conditions during the build, where the address of the
 * environment in which the application will run is unknown.
 */
final class ConnectionDetailsConfiguration {
    private ConnectionDetailsConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataRedisConnectionDetails.class)
    @ConditionalOnMissingBean(HoldfastConnectionDetails.class)
    static class WithDataRedis {
        @Bean
        HoldfastConnectionDetails holdfastConnectionDetails(
                HoldfastProperties properties,
                ObjectProvider<SslBundles> bundles,
                ObjectProvider<DataRedisConnectionDetails> ofDataRedis,
                ObjectProvider<DataRedisProperties> propertiesOfDataRedis) {
            if (properties.hasRedisUri()) {
                return UriConnectionDetails.of(properties, bundles);
            }
            DataRedisConnectionDetails details = ofDataRedis.getIfAvailable();
            if (details == null) {
                return new NoConnectionDetails();
            }
            DataRedisProperties others = propertiesOfDataRedis.getIfAvailable();
            return new DataRedisHoldfastConnectionDetails(details, others == null ? null : others.getUrl());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails")
    @ConditionalOnMissingBean(HoldfastConnectionDetails.class)
    static class WithoutDataRedis {
        @Bean
        HoldfastConnectionDetails holdfastConnectionDetails(
                HoldfastProperties properties, ObjectProvider<SslBundles> bundles) {
            return properties.hasRedisUri() ? UriConnectionDetails.of(properties, bundles) : new NoConnectionDetails();
        }
    }
}
