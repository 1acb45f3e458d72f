package dev.holdfast.consumers.quarkus;

import dev.holdfast.Holdfast;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

@Singleton
class HoldfastProducer {
    /** A singleton, since a final class has no client proxy. */
    @Produces
    @Singleton
    @Startup
    Holdfast holdfast(@ConfigProperty(name = "holdfast.redis-uri") String redisUri) {
        return Holdfast.connect(redisUri);
    }

    void close(@Disposes Holdfast holdfast) {
        holdfast.close(Duration.ofSeconds(5));
    }
}
