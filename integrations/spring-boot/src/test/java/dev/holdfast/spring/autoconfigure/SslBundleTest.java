package dev.holdfast.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.tls.Certificate;
import dev.holdfast.testkit.tls.TlsServer;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A server that requires client certificates is reached with the stores of an SSL bundle, whichever way the application
 * names that. Skipped if the server was built without TLS.
 */
final class SslBundleTest {
    private static Certificate ofServer;
    private static Certificate ofClient;
    private static @Nullable TlsServer server;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        ofServer = Certificate.newIn(directory.resolve("server"));
        ofClient = Certificate.newFor("dns:client.example.org", directory.resolve("client"));
        server = TlsServer.start(ofServer, ofClient);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void skipWithoutTls() {
        assumeTrue(server != null, "this server was built without TLS");
    }

    private static TlsServer server() {
        return Objects.requireNonNull(server, "started before each test, or the test is skipped");
    }

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SslAutoConfiguration.class, DataRedisAutoConfiguration.class, HoldfastAutoConfiguration.class))
                .withPropertyValues(
                        "spring.ssl.bundle.jks.stores.truststore.location=" + ofServer.trustStore(),
                        "spring.ssl.bundle.jks.stores.truststore.password=" + Certificate.PASSWORD,
                        "spring.ssl.bundle.jks.stores.keystore.location=" + ofClient.keyStore(),
                        "spring.ssl.bundle.jks.stores.keystore.password=" + Certificate.PASSWORD,
                        "spring.ssl.bundle.jks.stores.keystore.type=PKCS12",
                        "spring.ssl.bundle.pem.files.truststore.certificate=" + ofServer.certificate(),
                        "spring.ssl.bundle.pem.files.keystore.certificate=" + ofClient.certificate(),
                        "spring.ssl.bundle.pem.files.keystore.private-key=" + ofClient.key(),
                        "spring.ssl.bundle.pem.anonymous.truststore.certificate=" + ofServer.certificate());
    }

    private static ApplicationContextRunner withDataRedis(String bundle) {
        return application()
                .withPropertyValues(
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + server().port(),
                        "spring.data.redis.ssl.bundle=" + bundle);
    }

    private static ApplicationContextRunner withUri(String scheme, String bundle) {
        return application()
                .withPropertyValues(
                        "holdfast.redis-uri=" + scheme + "://127.0.0.1:" + server().port(),
                        "holdfast.ssl-bundle=" + bundle);
    }

    private static void assertLocks(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        try (Lease lease = context.getBean(Holdfast.class).getLock("tls").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(server().redis().keys()).contains("tls");
        }
    }

    /** The bundle of Spring Data Redis is used, of stores as of PEM files. */
    @Test
    void dataRedisBundle_isUsed() {
        withDataRedis("stores").run(SslBundleTest::assertLocks);
        withDataRedis("files").run(SslBundleTest::assertLocks);
    }

    /** The bundle for the client's own URI is used. */
    @Test
    void uriBundle_isUsed() {
        withUri("rediss", "stores").run(SslBundleTest::assertLocks);
        withUri("rediss", "files").run(SslBundleTest::assertLocks);
    }

    /** The bundle of connection details, which a container has instead of properties, is used. */
    @Test
    void serviceConnectionBundle_isUsed() {
        application()
                .withPropertyValues("spring.data.redis.host=unused.invalid")
                .withUserConfiguration(Container.class)
                .run(SslBundleTest::assertLocks);
    }

    /** The key store of the bundle is what the server accepts: without one, the failure names the certificate. */
    @Test
    void bundleWithoutKeyStore_isRefused() {
        withDataRedis("anonymous")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("certificate"));
    }

    /** The trust store of the bundle replaces that of the JDK, which does not know the server. */
    @Test
    void withoutBundle_isRefused() {
        application()
                .withPropertyValues("holdfast.redis-uri=rediss://127.0.0.1:" + server().port())
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("the server's certificate is not trusted"));
    }

    /** A bundle for an address without TLS would encrypt nothing, so the application does not start. */
    @Test
    void bundleWithoutTls_isRefused() {
        withUri("redis", "stores")
                .run(context -> assertThat(context).getFailure().hasMessageContaining("nothing would be encrypted"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Container {
        @Bean
        DataRedisConnectionDetails container(SslBundles bundles) {
            return new DataRedisConnectionDetails() {
                @Override
                public SslBundle getSslBundle() {
                    return bundles.getBundle("stores");
                }

                @Override
                public Standalone getStandalone() {
                    return Standalone.of("127.0.0.1", server().port());
                }
            };
        }
    }
}
