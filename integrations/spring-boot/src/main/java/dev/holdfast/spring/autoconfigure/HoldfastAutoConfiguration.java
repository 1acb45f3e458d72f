package dev.holdfast.spring.autoconfigure;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.LockListener;
import io.lettuce.core.resource.ClientResources;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Configures a {@link Holdfast} client, unless the application defines one. It connects when the application starts, or in
 * the background, and
 * closes after the beans that use it, with a grace period for locks that are still held. All {@link LockListener} beans
 * receive its events.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnBooleanProperty(name = "holdfast.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(Holdfast.class)
@EnableConfigurationProperties(HoldfastProperties.class)
@Import({ConnectionDetailsConfiguration.WithDataRedis.class, ConnectionDetailsConfiguration.WithoutDataRedis.class})
public final class HoldfastAutoConfiguration {
    HoldfastAutoConfiguration() {}

    @Bean
    HoldfastFactoryBean holdfast(
            HoldfastProperties properties,
            HoldfastConnectionDetails details,
            ObjectProvider<HoldfastBuilderCustomizer> customizers,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<ClientResources> resources,
            ApplicationContext context) {
        Environment environment = context.getEnvironment();
        HoldfastBuilder builder = Holdfast.builder();
        details.applyTo(builder);
        new PropertiesBuilderCustomizer(properties, environment.getProperty("spring.application.name"))
                .customize(builder);
        if (properties.shareClientResources()) {
            resources.ifAvailable(builder::clientResources);
        }
        CallbackThreads threads = callbackThreads(environment, context.getClassLoader());
        builder.callbackExecutor(threads.executor());
        listeners.orderedStream().forEach(builder::addListener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return new HoldfastFactoryBean(builder, threads, properties.shutdownGrace(), details);
    }

    private static CallbackThreads callbackThreads(Environment environment, @Nullable ClassLoader ofContext) {
        ClassLoader classes = ofContext == null ? HoldfastAutoConfiguration.class.getClassLoader() : ofContext;
        return Threading.VIRTUAL.isActive(environment)
                ? CallbackThreads.virtual(classes)
                : CallbackThreads.platform(classes);
    }
}
