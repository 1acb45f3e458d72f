package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.ProxiedConnection;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes announce their proxies, or an address of the test's choice. */
@ParameterizedClass
@MethodSource("clusters")
@Tag("slow")
final class ProxiedClusterTest {
    private static final String KEY = "key";

    private final RedisCluster cluster;
    private final ClusterNode master;
    private final ClusterNode replica;
    private final ClusterNode other;

    ProxiedClusterTest(RedisCluster cluster) {
        this.cluster = cluster;
        this.master = cluster.masterOf(KEY);
        this.replica = cluster.replicasOf(master).get(0);
        this.other = cluster.masterBeside(master);
    }

    static Stream<RedisCluster> clusters() {
        return Topologies.clusters(RedisClusterBuilder::proxied);
    }

    /** Redirections and the list of nodes name the proxies, also after a restart of the node. */
    @Test
    void proxied_addresses() {
        assertThatThrownBy(() -> other.server().command("GET", KEY))
                .hasMessage("MOVED " + Slots.of(KEY) + " 127.0.0.1:"
                        + master.proxy().port());
        assertThat(other.view().members())
                .extracting(ClusterMember::port)
                .containsExactlyInAnyOrderElementsOf(cluster.nodes().stream()
                        .map(node -> node.proxy().port())
                        .toList());
        assertThat(RedisServer.at(master.uri()).command("SET", KEY, "value")).isEqualTo("OK");
        assertThat(master.proxy().commands("SET")).isPositive();
        replica.server().restart();
        cluster.awaitOk();
        cluster.awaitInSync(replica);
        assertThat(replica.view().self().port()).isEqualTo(replica.proxy().port());
    }

    /** A client behind a silent proxy gets no reply, while the cluster stays as it is and the replica in sync. */
    @Test
    void proxied_clientCutOff() throws IOException {
        try (RedisServer announced = RedisServer.at(master.uri());
                RespConnection client = RespConnection.to(announced, Waiting.TIMEOUT)) {
            client.call("PING");
            master.proxy().matching(connection -> !connection.isReplication()).blackHole(Direction.REPLIES);
            client.limitReads(Duration.ofMillis(200));
            assertThatThrownBy(() -> client.call("SET", KEY, "unanswered")).isInstanceOf(SocketTimeoutException.class);
            client.limitReads(Waiting.TIMEOUT);
            cluster.awaitInSync(replica);
            assertThat(master.server().command("GET", KEY)).isEqualTo("unanswered");
            master.proxy().heal();
            assertThat(client.receive()).isEqualTo("OK");
        }
        assertThat(cluster.masterOf(KEY)).isEqualTo(master);
    }

    /** Replicas connect through the proxy of their master, and are told from clients there. */
    @Test
    void proxied_replication() throws IOException {
        cluster.awaitInSync(replica);
        assertThat(master.proxy().connections())
                .filteredOn(ProxiedConnection::isReplication)
                .hasSize(1);
        try (RespConnection client = RespConnection.to(master.server(), Waiting.TIMEOUT)) {
            master.proxy().matching(ProxiedConnection::isReplication).blackHole(Direction.REPLIES);
            client.call("SET", KEY, "late");
            assertThat(client.call("WAIT", "1", "100")).isEqualTo(0L);
            master.proxy().heal();
            assertThat(client.call("WAIT", "1", "10000")).isEqualTo(1L);
        }
    }

    /** A node can move to another address, and announce one where nobody listens; the cluster itself stays up. */
    @Test
    void announce_elsewhere() {
        try (FaultProxy moved = FaultProxy.inFrontOf(master.server())) {
            cluster.announce(master, moved.port());
            assertThat(master.announcedPort()).isEqualTo(moved.port());
            assertThat(RedisServer.at(master.uri()).command("SET", KEY, "value"))
                    .isEqualTo("OK");
            cluster.awaitInSync(replica);
        }
        cluster.awaitOk();
        assertThatThrownBy(() -> RedisServer.at(master.uri())).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> other.server().command("GET", KEY))
                .hasMessage("MOVED " + Slots.of(KEY) + " 127.0.0.1:" + master.announcedPort());
        cluster.announce(master, master.proxy().port());
        cluster.awaitInSync(replica);
    }
}
