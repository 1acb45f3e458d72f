package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A Redis that is reached over its Unix domain socket, where all connections have one address. The driver's native
 * transport is not needed for that: a proxy that listens on TCP forwards to the socket, as a sidecar does.
 */
@Tag("fault")
final class UnixSocketTest {
    private static final String NAME = "orders:42";
    private static final int FOREIGN = 12;

    @AutoClose
    private final RedisServer server = RedisServer.builder().unixSocket().start();

    @AutoClose
    private final FaultProxy pipe = FaultProxy.inFrontOfSocketOf(server);

    /**
     * The client ids of a restarted server start over. The first connection after it then has the id that the client's
     * connection had before, and is not killed.
     */
    @Test
    void reconnect_afterARestart_killsNoOther() throws IOException {
        try (Holdfast client = Holdfast.builder()
                .redisUri(pipe.uri())
                .reconnectDelay(Duration.ofMillis(50))
                .build()) {
            List<String> before = idsOverTheSocket();
            assertThat(before).hasSize(2);
            pipe.refuse();
            server.kill();
            eventually(() -> pipe.connections().isEmpty());
            server.restart();
            try (ForeignConnections foreign = ForeignConnections.connect(server, FOREIGN)) {
                assertThat(foreign.ids()).containsAll(before);
                pipe.accept();
                eventually(client::isConnected);
                client.getLock(NAME).acquire().close();

                assertThat(foreign.ping()).hasSize(FOREIGN).containsOnly("+PONG");
            }
            assertThat(String.valueOf(server.command("INFO", "commandstats"))).doesNotContain("cmdstat_client|kill");
        }
    }

    private List<String> idsOverTheSocket() {
        return server.clients().stream()
                .filter(line -> line.contains(".sock:0 "))
                .map(line -> line.substring("id=".length(), line.indexOf(' ')))
                .toList();
    }
}
