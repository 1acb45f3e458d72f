package dev.holdfast.spring.autoconfigure;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The origins of an address; the first that applies is used. */
final class ConnectionDetailsConfiguration {
    private ConnectionDetailsConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("holdfast.redis-uri")
    @ConditionalOnMissingBean(HoldfastConnectionDetails.class)
    static class OfUri {
        @Bean
        UriConnectionDetails holdfastConnectionDetails(
                HoldfastProperties properties, ObjectProvider<SslBundles> bundles) {
            return new UriConnectionDetails(
                    Objects.requireNonNull(properties.redisUri()), bundle(properties.sslBundle(), bundles));
        }

        private static @Nullable SslBundle bundle(@Nullable String name, ObjectProvider<SslBundles> bundles) {
            return name == null ? null : bundles.getObject().getBundle(name);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DataRedisConnectionDetails.class)
    @ConditionalOnBean(DataRedisConnectionDetails.class)
    @ConditionalOnMissingBean(HoldfastConnectionDetails.class)
    static class OfDataRedis {
        @Bean
        DataRedisHoldfastConnectionDetails holdfastConnectionDetails(
                DataRedisConnectionDetails details, ObjectProvider<DataRedisProperties> properties) {
            DataRedisProperties ofDataRedis = properties.getIfAvailable();
            return new DataRedisHoldfastConnectionDetails(details, ofDataRedis == null ? null : ofDataRedis.getUrl());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(HoldfastConnectionDetails.class)
    static class None {
        @Bean
        HoldfastConnectionDetails holdfastConnectionDetails() {
            return builder -> {
                throw new HoldfastStartException(
                        "Holdfast has no Redis to connect to.",
                        "Set 'holdfast.redis-uri', or add 'spring-boot-starter-data-redis' and set"
                                + " 'spring.data.redis.*'.",
                        null);
            };
        }
    }
}
