package dev.holdfast.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.Patience;
import dev.holdfast.testkit.tls.Certificate;
import dev.holdfast.testkit.tls.TlsServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both connections of a client use TLS when its URI asks for it. Skipped where the server was built without TLS. */
@Tag("driver")
class TlsTest {
    private static final Duration PROMPTLY = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String TRUST_STORE = "javax.net.ssl.trustStore";

    private static Certificate certificate;
    private static @Nullable TlsServer server;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        certificate = Certificate.newIn(directory);
        server = TlsServer.start(certificate, null);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** Each test is skipped individually, since a class that is skipped as a whole is missing from the report. */
    @BeforeEach
    void skipWithoutTls() {
        assumeTrue(server != null, "this server was built without TLS");
    }

    /** Without verification of the certificate, locks and wake-ups work. */
    @Test
    void rediss_unverified_locksAndWakes() {
        assertLocksAndWakes(SslVerifyMode.NONE);
    }

    /**
     * With a trust store that contains the certificate they do too, and the host must be the one that the URI names.
     */
    @Test
    void rediss_verifiedByTheDefaultTrustStore_locksAndWakes() throws GeneralSecurityException {
        String before = System.getProperty(TRUST_STORE);
        setTrustStore(certificate.trustStore().toString());
        try {
            assertLocksAndWakes(SslVerifyMode.FULL);
        } finally {
            setTrustStore(before);
        }
    }

    /** An untrusted certificate is rejected, and the message gives the reason. */
    @Test
    void rediss_unknownCertificate_isRefused() {
        assertThatThrownBy(() -> connect(SslVerifyMode.FULL))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("cannot connect to Redis at 127.0.0.1:" + port())
                .hasMessageContaining("the server's certificate is not trusted");
    }

    /** With a trust store of the client's own, locks and wake-ups work, and the JDK's trust store is not used. */
    @Test
    void rediss_ownTrustStore_locksAndWakes() {
        SslOptions options = SslOptions.builder()
                .truststore(certificate.trustStore().toFile(), Certificate.PASSWORD)
                .build();
        assertLocksAndWakes(() -> Holdfast.builder()
                .redisUri("rediss://127.0.0.1:" + port())
                .sslOptions(options)
                .build());
    }

    private static TlsServer server() {
        return Objects.requireNonNull(server, "started before each test, or the test is skipped");
    }

    private static int port() {
        return server().port();
    }

    /**
     * The JDK caches the store it has read, and two connections that are the first to read another one may get the old
     * one.
     */
    private static void setTrustStore(@Nullable String file) throws GeneralSecurityException {
        if (file == null) {
            System.clearProperty(TRUST_STORE);
        } else {
            System.setProperty(TRUST_STORE, file);
        }
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())
                .init((KeyStore) null);
    }

    private static void assertLocksAndWakes(SslVerifyMode mode) {
        assertLocksAndWakes(() -> connect(mode));
    }

    @SuppressWarnings("LockNotBeforeTry") // the waiter acquires it when the holder unlocks
    private static void assertLocksAndWakes(Supplier<Holdfast> client) {
        try (Holdfast holder = client.get();
                Holdfast waiter = client.get()) {
            DistributedLock held = holder.getLock("tls");
            held.lock(LONG);

            CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                    () -> waiter.getLock("tls").runLocked(() -> {}), task -> new Thread(task, "waiter").start());
            Patience.await().until(() -> !server().redis().channels().isEmpty());
            held.unlock();

            assertThat(waiting).succeedsWithin(PROMPTLY);
        }
    }

    private static Holdfast connect(SslVerifyMode mode) {
        RedisURI uri = RedisURI.create("rediss://127.0.0.1:" + port());
        uri.setVerifyPeer(mode);
        return Holdfast.builder().redisUri(uri).build();
    }
}
