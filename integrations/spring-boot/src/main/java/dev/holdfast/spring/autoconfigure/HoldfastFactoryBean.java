package dev.holdfast.spring.autoconfigure;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.LockException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * Builds the client when the application starts, and closes it when the beans that use it are gone. Only a factory can
 * close it with a grace period in that order.
 */
final class HoldfastFactoryBean implements FactoryBean<Holdfast>, InitializingBean, DisposableBean {
    private final HoldfastBuilder builder;
    private final CallbackThreads threads;
    private final Duration grace;
    private final HoldfastConnectionDetails details;
    private @Nullable Holdfast client;

    HoldfastFactoryBean(
            HoldfastBuilder builder, CallbackThreads threads, Duration grace, HoldfastConnectionDetails details) {
        this.builder = builder;
        this.threads = threads;
        this.grace = grace;
        this.details = details;
    }

    @Override
    public void afterPropertiesSet() {
        try {
            client = builder.build();
        } catch (LockException e) {
            threads.close();
            throw new HoldfastStartException(
                    "Holdfast cannot connect to Redis: " + e.getMessage(),
                    "Check that Redis runs, and its address and credentials, which are those of '" + details
                            + "'. To start before Redis can be reached, set 'holdfast.connect' to 'background'.",
                    e);
        } catch (IllegalArgumentException | IllegalStateException e) {
            threads.close();
            throw new HoldfastStartException(
                    "The settings of Holdfast contradict each other: " + e.getMessage(),
                    "Correct the properties 'holdfast.*', or the customizers of the builder.",
                    e);
        }
    }

    @Override
    public @Nullable Holdfast getObject() {
        return client;
    }

    @Override
    public Class<?> getObjectType() {
        return Holdfast.class;
    }

    @Override
    public void destroy() {
        try {
            if (client != null) {
                client.close(grace);
            }
        } finally {
            threads.close();
        }
    }
}
