package dev.holdfast.spring.autoconfigure;

import dev.holdfast.HoldfastBuilder;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Which Redis an auto-configured client connects to. A bean of this type replaces {@code holdfast.redis-uri} and the
 * connection details of Spring Data Redis; without one, these are used, in this order.
 *
 * <pre>{@code
 * @Bean
 * HoldfastConnectionDetails locks(Secrets secrets) {
 *     return builder -> builder.redisUri("rediss://locks.example.org:6379").sslOptions(secrets.tls());
 * }
 * }</pre>
 */
@FunctionalInterface
public interface HoldfastConnectionDetails extends ConnectionDetails {
    /**
     * Sets the address, the credentials and, for a server with TLS, the certificates. Called before the
     * properties and the {@linkplain HoldfastBuilderCustomizer customizers} are applied.
     *
     * @param builder the builder of the client
     */
    void applyTo(HoldfastBuilder builder);
}
