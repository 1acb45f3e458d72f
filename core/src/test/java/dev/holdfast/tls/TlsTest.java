package dev.holdfast.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both connections of a client use TLS when its URI asks for it. Skipped where the server was built without TLS. */
class TlsTest {
    private static final Duration PROMPTLY = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String TRUST_STORE = "javax.net.ssl.trustStore";

    private static Certificate certificate;
    private static @Nullable RedisServer server;
    private static int tlsPort;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        certificate = Certificate.newIn(directory);
        tlsPort = freePort();
        try {
            server = RedisServer.builder()
                    .config("tls-port", Integer.toString(tlsPort))
                    .config("tls-cert-file", certificate.certificate().toString())
                    .config("tls-key-file", certificate.key().toString())
                    .config("tls-ca-cert-file", certificate.certificate().toString())
                    .config("tls-auth-clients", "no")
                    .start();
        } catch (IllegalStateException e) {
            if (!String.valueOf(e.getMessage()).contains("Bad directive")) {
                throw e;
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** Each test is skipped for itself, since a class that is skipped as a whole is missing from the report. */
    @BeforeEach
    void skipWithoutTls() {
        assumeTrue(server != null, "this server was built without TLS");
    }

    /** Without a look at the certificate, locks and wake-ups work. */
    @Test
    void rediss_unverified_locksAndWakes() {
        assertLocksAndWakes(SslVerifyMode.NONE);
    }

    /** With a trust store that knows the certificate, the same, and the server must be whom the URI names. */
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

    /** A certificate that nobody vouches for is refused, and the message says what was wrong. */
    @Test
    void rediss_unknownCertificate_isRefused() {
        assertThatThrownBy(() -> connect(SslVerifyMode.FULL))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("cannot connect to Redis at 127.0.0.1:" + tlsPort)
                .hasMessageContaining("certif");
    }

    /** The JDK keeps the store it has read, and two connections that are the first to read another one may get the old. */
    private static void setTrustStore(@Nullable String file) throws GeneralSecurityException {
        if (file == null) {
            System.clearProperty(TRUST_STORE);
        } else {
            System.setProperty(TRUST_STORE, file);
        }
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())
                .init((KeyStore) null);
    }

    @SuppressWarnings("LockNotBeforeTry") // the waiter's turn comes when the holder unlocks
    private static void assertLocksAndWakes(SslVerifyMode mode) {
        try (Holdfast holder = connect(mode);
                Holdfast waiter = connect(mode)) {
            DistributedLock held = holder.getLock("tls");
            held.lock(LONG);

            CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                    () -> waiter.getLock("tls").runLocked(() -> {}), task -> new Thread(task, "waiter").start());
            await().until(() -> server != null && !server.channels().isEmpty());
            held.unlock();

            assertThat(waiting).succeedsWithin(PROMPTLY);
        }
    }

    private static Holdfast connect(SslVerifyMode mode) {
        RedisURI uri = RedisURI.create("rediss://127.0.0.1:" + tlsPort);
        uri.setVerifyPeer(mode);
        return Holdfast.builder().redisUri(uri).build();
    }
}
