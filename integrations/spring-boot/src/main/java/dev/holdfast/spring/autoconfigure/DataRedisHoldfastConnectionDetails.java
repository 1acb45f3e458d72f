package dev.holdfast.spring.autoconfigure;

import dev.holdfast.HoldfastBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;

/**
 * The Redis of Spring Data Redis: that of {@code spring.data.redis.*}, or of a container that a test or Docker Compose
 * has started.
 *
 * @param details where the server is
 * @param url {@code spring.data.redis.url}; whether it asks for TLS is not part of the details
 */
record DataRedisHoldfastConnectionDetails(
        DataRedisConnectionDetails details, @Nullable String url) implements HoldfastConnectionDetails {
    @Override
    public void applyTo(HoldfastBuilder builder) {
        SslBundle bundle = details.getSslBundle();
        new DataRedisAddress(details, bundle != null || urlUsesTls()).applyTo(builder);
        if (bundle != null) {
            builder.sslOptions(BundledSslOptions.of(bundle));
        }
    }

    /** Details of another origin, such as a container, are not those of the URL. */
    private boolean urlUsesTls() {
        Standalone server = details.getStandalone();
        if (url == null || server == null) {
            return false;
        }
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            return false; // these details are of another origin; the message would repeat the URL
        }
        return "rediss".equals(uri.getScheme())
                && server.getHost().equals(uri.getHost())
                && server.getPort() == uri.getPort();
    }

    @Override
    public String toString() {
        return "spring.data.redis";
    }
}
