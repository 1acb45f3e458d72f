package dev.holdfast.tls;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.DocumentedMessages;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.Patience;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.tls.Certificate;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of one node with TLS, whose certificate has a name, while the node announces its IP address. Skipped where the
 * server was built without TLS.
 */
@Tag("driver")
class ClusterTlsTest {
    private static final int LAST_SLOT = 16_383;

    private static @Nullable RedisServer node;
    private static int port;
    private static SslOptions trusting;

    @BeforeAll
    static void start(@TempDir Path directory) throws Exception {
        Certificate ofAName = Certificate.newFor("dns:localhost", directory.resolve("named"));
        trusting = SslOptions.builder()
                .trustManager(ofAName.certificate().toFile())
                .build();
        port = freePort();
        node = startWithTls(ofAName);
        if (node != null) {
            RedisServer started = node;
            started.command("CLUSTER", "ADDSLOTSRANGE", "0", Integer.toString(LAST_SLOT));
            Patience.await().until(() -> String.valueOf(started.command("CLUSTER", "INFO"))
                    .contains("cluster_state:ok"));
        }
    }

    private static @Nullable RedisServer startWithTls(Certificate own) throws IOException {
        try {
            return RedisServer.builder()
                    .clusterNode()
                    .config("cluster-announce-ip", "127.0.0.1")
                    .config("tls-cluster", "yes")
                    .config("tls-port", Integer.toString(port))
                    .config("tls-cert-file", own.certificate().toString())
                    .config("tls-key-file", own.key().toString())
                    .config("tls-ca-cert-file", own.certificate().toString())
                    .config("tls-auth-clients", "no")
                    .config("cluster-port", Integer.toString(freePort()))
                    .start();
        } catch (IllegalStateException e) {
            if (String.valueOf(e.getMessage()).contains("Bad directive")) {
                return null;
            }
            throw e;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @AfterAll
    static void stop() {
        if (node != null) {
            node.close();
        }
    }

    @BeforeEach
    void skipWithoutTls() {
        assumeTrue(node != null, "this server was built without TLS");
    }

    private static Holdfast connect(SslVerifyMode mode) {
        RedisURI uri = RedisURI.create("rediss://localhost:" + port);
        uri.setVerifyPeer(mode);
        return Holdfast.builder().redisUri(uri).sslOptions(trusting).build();
    }

    private static void assertWorks(SslVerifyMode mode) {
        try (Holdfast client = connect(mode)) {
            client.getLock("tls in a cluster").acquire().close();
        }
    }

    private static void announce(String name, String type) {
        if (node != null) {
            node.command("CONFIG", "SET", "cluster-announce-hostname", name);
            node.command("CONFIG", "SET", "cluster-preferred-endpoint-type", type);
        }
    }

    /** The announced address is not in the certificate: the message names it, and how to announce a name. */
    @Test
    void announcedAddress_isNotInTheCertificate() {
        assertThatThrownBy(() -> connect(SslVerifyMode.FULL))
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(DocumentedMessages.of("A certificate without the node's address"))
                .hasMessageContainingAll(
                        "127.0.0.1:" + port,
                        "the cluster announces",
                        "the server's certificate is not for the host that is connected to",
                        "cluster-announce-hostname");
    }

    /** With a name that is announced and in the certificate, it works. */
    @Test
    void announcedName_isInTheCertificate() {
        announce("localhost", "hostname");
        try {
            assertWorks(SslVerifyMode.FULL);
        } finally {
            announce("", "ip");
        }
    }

    /** So it does if the client does not compare the host with the certificate. */
    @Test
    void announcedAddress_isNotVerified() {
        assertWorks(SslVerifyMode.CA);
    }
}
