package dev.holdfast.spring.integration;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code holdfast.lock-registry.*}.
 *
 * @param key what the names of the locks start with, before a colon.
 * @param timeToLive how long a hold lasts that is not renewed. Without it, holds are renewed until they are released.
 */
@ConfigurationProperties("holdfast.lock-registry")
record LockRegistryProperties(
        @DefaultValue("lock-registry") String key, @Nullable Duration timeToLive) {
    LockRegistryProperties {
        if (timeToLive != null && timeToLive.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "holdfast.lock-registry.time-to-live must be at least 1 ms, was " + timeToLive);
        }
    }
}
