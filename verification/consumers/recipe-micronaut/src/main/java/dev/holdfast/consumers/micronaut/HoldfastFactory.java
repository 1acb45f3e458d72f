package dev.holdfast.consumers.micronaut;

import dev.holdfast.Holdfast;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.event.BeanPreDestroyEvent;
import io.micronaut.context.event.BeanPreDestroyEventListener;
import jakarta.inject.Singleton;
import java.time.Duration;

@Factory
final class HoldfastFactory {
    @Context
    Holdfast holdfast(@Property(name = "holdfast.redis-uri") String redisUri) {
        return Holdfast.connect(redisUri);
    }

    /** Runs after the beans that use the client were destroyed. */
    @Singleton
    static final class Shutdown implements BeanPreDestroyEventListener<Holdfast> {
        @Override
        public Holdfast onPreDestroy(BeanPreDestroyEvent<Holdfast> event) {
            event.getBean().close(Duration.ofSeconds(5));
            return event.getBean();
        }
    }
}
