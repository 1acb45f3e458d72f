package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Connections that end or are refused, as observed by a plain socket, in front of a real server. */
final class FaultProxyCutTest {
    @RegisterExtension
    final Fronted fronted = new Fronted();

    private final RedisServer server = fronted.server();
    private final FaultProxy proxy = fronted.proxy();

    /** A FIN cut is an end of stream to the client, and the server loses the connection too. */
    @Test
    void cutFin_endOfStream() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            proxy.cutFin();
            assertThat(client.endsInGoodOrder()).isTrue();
            await().atMost(ProcessChecks.TIMEOUT).until(() -> server.clients().isEmpty());
            try (RawClient next = RawClient.to(proxy)) {
                assertThat(next.call("PING")).isEqualTo("+PONG");
            }
        }
    }

    /** A RST cut is a reset to the client, and the server loses the connection too. */
    @Test
    void cutRst_reset() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            proxy.cutRst();
            assertThatThrownBy(client::line).isInstanceOf(SocketException.class).hasMessageContaining("reset");
            await().atMost(ProcessChecks.TIMEOUT).until(() -> server.clients().isEmpty());
        }
    }

    /** A reset by the client reaches the server, and leaves no connection behind. */
    @Test
    void clientReset_reachesServer() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            client.reset();
            await().atMost(ProcessChecks.TIMEOUT).until(() -> server.clients().isEmpty());
            assertThat(proxy.connections()).isEmpty();
        }
    }

    /** The end of the server ends the connections of its clients. */
    @Test
    void serverKilled_endsClients() throws IOException {
        try (RedisServer mortal = RedisServer.builder().start();
                FaultProxy front = FaultProxy.inFrontOf(mortal);
                RawClient client = RawClient.to(front)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            mortal.kill();
            assertThat(client.isEnded()).isTrue();
            try (RawClient late = RawClient.to(front)) {
                assertThat(late.isEnded()).isTrue();
            }
            mortal.restart();
            try (RawClient next = RawClient.to(front)) {
                assertThat(next.call("PING")).isEqualTo("+PONG");
            }
        }
    }

    /** Refused connections fail at once while older ones live on, and the port is the same afterwards. */
    @Test
    void refuse_thenAccept() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            proxy.refuse();
            assertThatThrownBy(() -> RawClient.to(proxy)).isInstanceOf(ConnectException.class);
            assertThat(client.call("PING")).isEqualTo("+PONG");
            proxy.accept();
            try (RawClient next = RawClient.to(proxy)) {
                assertThat(next.call("PING")).isEqualTo("+PONG");
            }
        }
    }
}
