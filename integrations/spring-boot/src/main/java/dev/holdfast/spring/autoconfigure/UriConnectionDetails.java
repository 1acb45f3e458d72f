package dev.holdfast.spring.autoconfigure;

import dev.holdfast.HoldfastBuilder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.StringUtils;

/** The Redis of {@code holdfast.redis-uri}. */
record UriConnectionDetails(String uri, @Nullable SslBundle sslBundle) implements HoldfastConnectionDetails {
    static UriConnectionDetails of(HoldfastProperties properties, ObjectProvider<SslBundles> bundles) {
        String bundle = properties.sslBundle();
        return new UriConnectionDetails(
                Objects.requireNonNull(properties.redisUri()),
                StringUtils.hasText(bundle) ? bundle(bundle, bundles) : null);
    }

    private static SslBundle bundle(String name, ObjectProvider<SslBundles> bundles) {
        try {
            return bundles.getObject().getBundle(name);
        } catch (NoSuchSslBundleException | NoSuchBeanDefinitionException e) {
            throw new HoldfastStartException(
                    "The property 'holdfast.ssl-bundle' names no SSL bundle: '" + name + "'",
                    "Correct the property, or define the bundle by properties such as 'spring.ssl.bundle.pem." + name
                            + ".truststore.certificate'.",
                    e);
        }
    }

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
