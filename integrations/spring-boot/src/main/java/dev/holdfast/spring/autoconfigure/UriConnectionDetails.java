package dev.holdfast.spring.autoconfigure;

import dev.holdfast.HoldfastBuilder;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** The Redis of {@code holdfast.redis-uri}. */
record UriConnectionDetails(String uri, @Nullable SslBundle sslBundle) implements HoldfastConnectionDetails {
    @Override
    public void applyTo(HoldfastBuilder builder) {
        try {
            builder.redisUri(uri);
        } catch (IllegalArgumentException e) {
            throw new HoldfastStartException(
                    "The property 'holdfast.redis-uri' is malformed: " + e.getMessage(), "Correct the property.", e);
        }
        if (sslBundle != null) {
            builder.sslOptions(BundledSslOptions.of(sslBundle));
        }
    }

    /** The URI may contain a password. */
    @Override
    public String toString() {
        return "holdfast.redis-uri";
    }
}
