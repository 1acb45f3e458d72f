package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A cluster as it is after its start, and what can be looked up. */
@ParameterizedClass
@MethodSource("clusters")
final class RedisClusterTest {
    private final RedisCluster cluster;

    RedisClusterTest(RedisCluster cluster) {
        this.cluster = cluster;
    }

    static Stream<RedisCluster> clusters() {
        return Topologies.clusters(builder -> builder.password("se:cret").config("maxclients", "77"));
    }

    /** A started cluster has 3 masters, each with a replica that has its data. */
    @Test
    void start_masterAndReplicas() {
        assertThat(cluster.nodes()).hasSize(6);
        assertThat(cluster.masters()).hasSize(3);
        for (ClusterNode master : cluster.masters()) {
            String key = cluster.keyAt(master);
            assertThat(master.server().command("SET", key, "value")).isEqualTo("OK");
            ClusterNode replica = cluster.replicasOf(master).get(0);
            assertThat(cluster.replicasOf(master)).hasSize(1);
            assertThat(cluster.masterOf(replica)).isEqualTo(master);
            assertThat(replica.isReplica()).isTrue();
            cluster.awaitInSync(replica);
            assertThat(replica.server().keys()).containsExactly(key);
        }
    }

    /** Every node has the cluster's settings, and its password in its URI. */
    @Test
    void start_settings() {
        for (ClusterNode node : cluster.nodes()) {
            assertThat(node.server().command("CONFIG", "GET", "maxclients")).isEqualTo(List.of("maxclients", "77"));
            assertThat(node.uri())
                    .isEqualTo("redis://:se%3Acret@127.0.0.1:" + node.server().port());
            assertThat(RedisServer.at(node.uri()).command("PING")).isEqualTo("PONG");
            assertThatThrownBy(node::proxy).hasMessageContaining("without a proxy");
        }
        assertThat(cluster.uris())
                .isEqualTo(cluster.nodes().stream().map(ClusterNode::uri).toList());
    }

    /** The servers compute the slots of keys as the testkit does, and each slot belongs to the master that is named. */
    @Test
    void masterOf_asTheServersSay() {
        RedisServer server = cluster.nodes().get(0).server();
        for (String key : List.of("123456789", "a{tag}b", "{}x", "grüße")) {
            assertThat(server.command("CLUSTER", "KEYSLOT", key)).isEqualTo((long) Slots.of(key));
            assertThat(cluster.masterOf(key).server().command("EXISTS", key)).isEqualTo(0L);
        }
        assertThat(IntStream.of(0, 5_460, 5_461, 10_921, 10_922, Slots.COUNT - 1)
                        .mapToObj(slot -> cluster.nodes().indexOf(cluster.masterOf(slot))))
                .containsExactly(0, 0, 1, 1, 2, 2);
        assertThatThrownBy(() -> cluster.masterOf(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Closing leaves neither processes nor files, and may be repeated. */
    @Test
    void close_leavesNothing() {
        RedisCluster small =
                RedisCluster.builder().masters(1).replicasPerMaster(1).start();
        List<RedisServer> servers =
                small.nodes().stream().map(ClusterNode::server).toList();
        List<Path> directories =
                servers.stream().map(RedisClusterTest::directoryOf).toList();
        assertThat(directories).allMatch(Files::isDirectory);
        servers.get(0).pause();
        small.close();
        small.close();
        assertThat(servers).noneMatch(RedisServer::isRunning);
        assertThat(directories).noneMatch(Files::exists);
    }

    private static Path directoryOf(RedisServer server) {
        List<?> reply = (List<?>) Objects.requireNonNull(server.command("CONFIG", "GET", "dir"));
        return Path.of(String.valueOf(reply.get(1)));
    }
}
