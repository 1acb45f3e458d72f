package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bytes that are held or dropped, as observed by a plain socket, in front of a real server. */
final class FaultProxySilenceTest {
    @RegisterExtension
    final Fronted fronted = new Fronted();

    private final RedisServer server = fronted.server();
    private final FaultProxy proxy = fronted.proxy();

    /** In a black hole the server receives nothing; after healing, what was sent arrives, as with TCP. */
    @Test
    void blackHole_requests() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.blackHole(Direction.REQUESTS);
            client.send("SET", "key", "value");
            Eventually.await().until(() -> proxy.commands("SET") == 1);
            client.expectSilence();
            assertThat(server.keys()).isEmpty();
            proxy.heal();
            assertThat(client.line()).isEqualTo("+OK");
            assertThat(server.keys()).containsExactly("key");
        }
    }

    /**
     * With the replies in a black hole the server executes requests, but the client gets no reply until it is healed.
     */
    @Test
    void blackHole_replies() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.blackHole(Direction.REPLIES);
            client.send("SET", "key", "value");
            Eventually.await().until(() -> server.keys().contains("key"));
            client.expectSilence();
            proxy.heal();
            assertThat(client.line()).isEqualTo("+OK");
        }
    }

    /** A black hole applies to new connections too, and swallows the data in flight of a reset client. */
    @Test
    void blackHole_newAndResetConnections() throws IOException {
        proxy.blackHole();
        try (RawClient client = RawClient.to(proxy)) {
            client.send("SET", "key", "value");
            Eventually.await().until(() -> proxy.commands("SET") == 1);
            client.expectSilence();
            client.reset();
            Eventually.await().until(() -> proxy.connections().isEmpty());
            assertThat(server.clients()).hasSize(1);
            proxy.heal();
            Eventually.await().until(() -> server.clients().isEmpty());
            assertThat(server.keys()).isEmpty();
        }
    }

    /** Dropped bytes never arrive. */
    @Test
    void drop_requests() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.drop(Direction.REQUESTS);
            client.send("SET", "lost", "value");
            Eventually.await().until(() -> proxy.commands("SET") == 1);
            proxy.heal();
            assertThat(client.call("SET", "key", "value")).isEqualTo("+OK");
            assertThat(server.keys()).containsExactly("key");
        }
    }

    /** Held requests are delivered after their client has disconnected, in either way. */
    @Test
    @SuppressWarnings("try") // closing early is the subject of the test
    void holdRequests_lateBytesOfDeadClients() throws IOException {
        try (RawClient closing = RawClient.to(proxy);
                RawClient resetting = RawClient.to(proxy);
                RawClient cut = RawClient.to(proxy)) {
            proxy.holdRequests();
            for (RawClient client : List.of(closing, resetting, cut)) {
                client.send("INCR", "n");
            }
            Eventually.await().until(() -> proxy.commands("INCR") == 3);
            closing.close();
            resetting.reset();
            Eventually.await().until(() -> proxy.connections().size() == 1);
            proxy.cutRst();
            assertThatThrownBy(cut::line).isInstanceOf(SocketException.class);
            assertThat(server.keys()).isEmpty();
            assertThat(server.clients()).hasSize(3);
            proxy.releaseRequests();
            Eventually.await().until(() -> "3".equals(server.command("GET", "n")));
            Eventually.await().until(() -> server.clients().isEmpty());
        }
    }
}
