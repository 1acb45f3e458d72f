package dev.holdfast.testkit.tls;

import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;

/** A Redis that also listens on a port of its own for TLS. */
public final class TlsServer implements AutoCloseable {
    private final RedisServer redis;
    private final int port;

    private TlsServer(RedisServer redis, int port) {
        this.redis = redis;
        this.port = port;
    }

    /**
     * Starts a server.
     *
     * @param own the certificate it presents to its clients
     * @param clients the certificate that its clients must have, or null if they need none
     * @return null if the server was built without TLS
     * @throws IOException if there is no free port
     */
    public static @Nullable TlsServer start(Certificate own, @Nullable Certificate clients) throws IOException {
        int port = freePort();
        Certificate trusted = clients == null ? own : clients;
        try {
            RedisServer redis = RedisServer.builder()
                    .config("tls-port", Integer.toString(port))
                    .config("tls-cert-file", own.certificate().toString())
                    .config("tls-key-file", own.key().toString())
                    .config("tls-ca-cert-file", trusted.certificate().toString())
                    .config("tls-auth-clients", clients == null ? "no" : "yes")
                    .start();
            return new TlsServer(redis, port);
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

    /** {@return the server, for access without TLS} */
    public RedisServer redis() {
        return redis;
    }

    /** {@return the port for TLS} */
    public int port() {
        return port;
    }

    @Override
    public void close() {
        redis.close();
    }
}
