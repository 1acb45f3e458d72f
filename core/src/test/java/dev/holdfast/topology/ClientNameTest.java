package dev.holdfast.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The connections of a client with a label have that as their name, which Redis shows to its operators. */
@Tag("topology")
@Tag("driver")
class ClientNameTest {
    private static final String LABEL = "orders service, \u00e4 7";
    private static final String NAME = " name=orders_service,___7 ";

    private static HoldfastBuilder labelled(String uri) {
        return Holdfast.builder().redisUri(uri).label(LABEL);
    }

    /** {@return the number of connections of this server that have the name} */
    private static long named(RedisServer server, String name) {
        return server.clients().stream().filter(client -> client.contains(name)).count();
    }

    /** Commands and subscriptions; also those for the locks that are not replicated, beside those that are. */
    @Test
    void oneServer() {
        try (RedisServer server = RedisServer.start();
                Holdfast client = labelled(server.uri())
                        .replicated(1, Duration.ofMillis(500))
                        .build()) {
            assertThat(client.isConnected()).isTrue();
            assertThat(named(server, NAME)).isEqualTo(server.clients().size()).isGreaterThanOrEqualTo(2);
        }
    }

    /** Also after a reconnect. */
    @Test
    void reconnected() {
        try (RedisServer server = RedisServer.start();
                Holdfast client = labelled(server.uri()).build()) {
            server.restart();
            FaultyRedis.eventually(client::isConnected);
            assertThat(named(server, NAME)).isEqualTo(2);
        }
    }

    /** A name in the URI wins. */
    @Test
    void nameInTheUri() {
        try (RedisServer server = RedisServer.start();
                Holdfast client = labelled(server.uri() + "?clientName=other").build()) {
            assertThat(client.isConnected()).isTrue();
            assertThat(named(server, " name=other ")).isEqualTo(2);
        }
    }

    /** No right is needed for it, neither with RESP3 nor before that, where the name is a command of its own. */
    @Test
    void refused_isIgnored() {
        for (String unknown : List.of("LOLWUT", "HELLO")) {
            try (RedisServer server = RedisServer.builder()
                    .config("rename-command", unknown, "\"\"")
                    .start()) {
                server.command("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-client");
                try (Holdfast client = labelled("redis://app:secret@127.0.0.1:" + server.port())
                                .build();
                        Lease lease = client.getLock("held").acquire()) {
                    assertThat(lease.isValid()).isTrue();
                }
            }
        }
    }

    /** The connections to each master. */
    @Test
    void cluster() {
        try (RedisCluster cluster = RedisCluster.builder().replicasPerMaster(0).start();
                Holdfast client = labelled(cluster.masters().get(0).uri()).build()) {
            for (ClusterNode master : cluster.masters()) {
                client.getLock(cluster.keyAt(master)).acquire().close();
                FaultyRedis.eventually(() -> named(master.server(), NAME) >= 2);
            }
        }
    }

    /** The connections to the master, and to each sentinel. */
    @Test
    void sentinels() {
        try (RedisSentinels sentinels = RedisSentinels.builder().replicas(0).start();
                Holdfast client = labelled(sentinels.uri()).build()) {
            DataNode master = sentinels.master();
            client.getLock("named").acquire().close();
            FaultyRedis.eventually(() -> named(master.server(), NAME) == 2);
            for (RedisServer sentinel : sentinels.sentinels()) {
                FaultyRedis.eventually(() -> named(sentinel, NAME) >= 1);
            }
        }
    }
}
