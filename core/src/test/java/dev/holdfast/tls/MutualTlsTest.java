package dev.holdfast.tls;

import static dev.holdfast.testkit.tls.Certificate.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.testkit.tls.Certificate;
import dev.holdfast.testkit.tls.TlsServer;
import io.lettuce.core.SslOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that requires client certificates, and a client with stores of its own: both of its connections use them,
 * and exceptions name the problem. Skipped if the server was built without TLS.
 */
@Tag("driver")
@Tag("slow")
class MutualTlsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static Certificate ofServer;
    private static Certificate ofClient;
    private static Certificate untrusted;
    private static @Nullable TlsServer server;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        ofServer = Certificate.newIn(directory.resolve("server"));
        ofClient = Certificate.newFor("dns:client.example.org", directory.resolve("client"));
        untrusted = Certificate.newFor("dns:other.example.org", directory.resolve("untrusted"));
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

    /** With a key store and a trust store, locks and wake-ups work. */
    @Test
    void stores_lockAndWake() {
        assertLocksAndWakes(trustingServer()
                .keyStoreType("PKCS12")
                .keystore(ofClient.keyStore().toFile(), PASSWORD.toCharArray())
                .build());
    }

    /** The same with PEM files. */
    @Test
    void pem_locksAndWakes() {
        assertLocksAndWakes(showing(ofClient).build());
    }

    /** Both connections use the certificate again when they reconnect. */
    @Test
    void killed_reconnects() {
        try (Holdfast client = connect(showing(ofClient).build());
                Holdfast other = connect(showing(ofClient).build())) {
            Lease held = other.getLock("reconnect").acquire();
            CompletableFuture<Lease> waiting = client.getLock("reconnect").acquireAsync();
            await().atMost(TIMEOUT).until(() -> !server().redis().channels().isEmpty());

            server().redis().command("CLIENT", "KILL", "TYPE", "pubsub");
            server().redis().command("CLIENT", "KILL", "TYPE", "normal");

            await().atMost(TIMEOUT).until(() -> client.isConnected() && other.isConnected());
            await().atMost(TIMEOUT).until(() -> !server().redis().channels().isEmpty());
            held.close();
            assertThat(waiting).succeedsWithin(TIMEOUT).satisfies(Lease::close);
        }
    }

    /**
     * The exception for a client without a certificate says that it needs one, although with TLS 1.3 the server reports
     * that only after the handshake.
     */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void clientCertificate_missing(String protocol) {
        assertFails(trustingServer().protocols(protocol).build(), "the client's certificate");
    }

    /** The exception for a certificate that the server does not trust says so. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void clientCertificate_unknown(String protocol) {
        assertFails(showing(untrusted).protocols(protocol).build(), "the client's certificate");
    }

    /** A server that the client's own trust store does not contain is rejected, whatever the JDK trusts. */
    @Test
    void serverCertificate_unknown() {
        SslOptions options = SslOptions.builder()
                .truststore(untrusted.trustStore().toFile(), PASSWORD)
                .build();
        assertFails(options, "the server's certificate is not trusted");
    }

    /** So is a server whose certificate is trusted but names another host. */
    @Test
    void serverCertificate_ofAnotherHost() throws IOException {
        try (TlsServer elsewhere = TlsServer.start(untrusted, ofClient)) {
            assumeTrue(elsewhere != null, "this server was built without TLS");
            SslOptions options = SslOptions.builder()
                    .trustManager(untrusted.certificate().toFile())
                    .build();
            assertThatThrownBy(() -> connect(elsewhere, options))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("the server's certificate is not for the host that is connected to");
        }
    }

    /** The exception for an unreadable trust store names the trust store. */
    @Test
    void trustStore_wrongPassword() {
        SslOptions options = SslOptions.builder()
                .truststore(ofServer.trustStore().toFile(), "wrong")
                .build();
        assertFails(options, "the trusted certificates of sslOptions cannot be read");
    }

    /** The exception for an unreadable key store names the key store. */
    @Test
    void keyStore_wrongPassword() {
        SslOptions options = trustingServer()
                .keyStoreType("PKCS12")
                .keystore(ofClient.keyStore().toFile(), "wrong".toCharArray())
                .build();
        assertFails(options, "the client's certificate or key of sslOptions cannot be read");
    }

    /** A file that was deleted after the options were built is named. */
    @Test
    void keyStore_gone(@TempDir Path directory) throws IOException {
        File gone =
                Files.copy(ofClient.keyStore(), directory.resolve("gone.p12")).toFile();
        SslOptions options =
                trustingServer().keystore(gone, PASSWORD.toCharArray()).build();
        Files.delete(gone.toPath());
        assertFails(options, "the client's certificate or key of sslOptions cannot be read: " + gone);
    }

    /** The stores are read for each connection, so a certificate can be replaced while the client is in use. */
    @Test
    void keyStore_replaced_isReadAgain(@TempDir Path directory) throws IOException {
        Path certificate = Files.copy(ofClient.certificate(), directory.resolve("replaced.pem"));
        Path key = Files.copy(ofClient.key(), directory.resolve("replaced-key.pem"));
        SslOptions options = trustingServer()
                .keyManager(certificate.toFile(), key.toFile(), null)
                .build();
        try (Holdfast client = connect(options)) {
            Files.copy(untrusted.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
            Files.copy(untrusted.key(), key, StandardCopyOption.REPLACE_EXISTING);
            assertThat(client.isConnected()).isTrue();
            assertFails(options, "the client's certificate");
        }
    }

    /** A server that does not speak TLS on that port does not reply, and the message suggests that cause. */
    @Test
    void port_withoutTls() {
        String plain = "rediss://127.0.0.1:" + server().redis().port();
        assertThatThrownBy(() -> Holdfast.builder()
                        .redisUri(plain)
                        .sslOptions(trustingServer().build())
                        .connectTimeout(Duration.ofSeconds(2))
                        .build())
                .isInstanceOf(LockException.class)
                .hasMessageContaining("does it use TLS on this port?");
    }

    private static SslOptions.Builder trustingServer() {
        return SslOptions.builder().trustManager(ofServer.certificate().toFile());
    }

    private static SslOptions.Builder showing(Certificate own) {
        return trustingServer().keyManager(own.certificate().toFile(), own.key().toFile(), null);
    }

    private static Holdfast connect(SslOptions options) {
        return connect(server(), options);
    }

    private static Holdfast connect(TlsServer to, SslOptions options) {
        return Holdfast.builder()
                .redisUri("rediss://127.0.0.1:" + to.port())
                .sslOptions(options)
                .build();
    }

    private static void assertFails(SslOptions options, String message) {
        assertThatThrownBy(() -> connect(options))
                .isInstanceOf(LockException.class)
                .hasMessageStartingWith("cannot connect to Redis at 127.0.0.1:" + server().port())
                .hasMessageContaining(message);
    }

    private static void assertLocksAndWakes(SslOptions options) {
        try (Holdfast holder = connect(options);
                Holdfast waiter = connect(options)) {
            DistributedLock held = holder.getLock("tls");
            Lease lease = held.acquire();
            CompletableFuture<Lease> waiting = waiter.getLock("tls").acquireAsync();
            await().atMost(TIMEOUT).until(() -> !server().redis().channels().isEmpty());

            lease.close();

            assertThat(waiting).succeedsWithin(TIMEOUT).satisfies(Lease::close);
        }
    }
}
