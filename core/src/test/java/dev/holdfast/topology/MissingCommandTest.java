package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.LockException;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Proxies that do not know SUBSCRIBE or HELLO are noticed when a client connects, and not at the first contention. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class MissingCommandTest {
    private static HoldfastBuilder builder(String uri) {
        return Holdfast.builder().redisUri(uri).connectTimeout(Duration.ofSeconds(10));
    }

    private static void assertFails(String uri, String... message) {
        assertThatThrownBy(() -> builder(uri).build())
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(message);
    }

    @Test
    void subscribe_isUnknown() {
        try (RedisServer server =
                RedisServer.builder().config("rename-command", "SUBSCRIBE", "").start()) {
            assertFails(server.uri(), "127.0.0.1:" + server.port(), "SUBSCRIBE", "proxy", "unknown command");
            try (Holdfast client = builder(server.uri()).connectInBackground().build()) {
                eventually(() -> assertThat(client.connectionProblems())
                        .singleElement()
                        .extracting(ConnectionProblem::reason)
                        .asString()
                        .contains("SUBSCRIBE", "proxy", "unknown command"));
            }
            eventually(() -> server.clients().isEmpty());
        }
    }

    @Test
    void subscribe_closesTheConnection() {
        try (RedisServer server = RedisServer.builder().start();
                FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            proxy.cutInsteadOfReplyTo("SUBSCRIBE");
            assertFails(proxy.uri(), "127.0.0.1:" + proxy.port(), "SUBSCRIBE", "proxy", "closed");
            builder(proxy.uri()).build().close();
        }
    }

    /** Two connections are made, and that for commands once more. */
    @Test
    void hello_closesTheConnection() {
        try (RedisServer server = RedisServer.builder().start();
                FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            proxy.cutInsteadOfReplyTo("HELLO");
            proxy.cutInsteadOfReplyTo("HELLO");
            proxy.cutInsteadOfReplyTo("HELLO");
            assertFails(proxy.uri(), "127.0.0.1:" + proxy.port(), "closed at HELLO", "proxy");
        }
    }

    /** A server that refuses the channel knows subscriptions: the right is needed by waiters only. */
    @Test
    void subscribe_isNotAllowed() {
        try (RedisServer server = RedisServer.builder().start()) {
            for (String right : new String[] {"-subscribe", "resetchannels"}) {
                server.command("ACL", "SETUSER", "app", "reset", "on", ">secret", "~*", "&*", "+@all", right);
                try (Holdfast client = builder(server.uri().replace("redis://", "redis://app:secret@"))
                        .build()) {
                    client.getLock("orders:42").acquire().close();
                }
            }
        }
    }

    /** Each node of a cluster is asked on a channel of its own slots; the subscription ends at once. */
    @Test
    void cluster_knowsIt() {
        try (RedisCluster cluster = RedisCluster.builder().replicasPerMaster(0).start();
                Holdfast client = builder(cluster.uris().get(0)).build()) {
            Shard.assumeSharded(cluster.masters().get(0).server());
            for (var master : cluster.masters()) {
                client.getLock(cluster.keyAt(master)).acquire().close();
            }
            eventually(client::isConnected);
            for (var master : cluster.masters()) {
                assertThat(CommandStats.subscriptions(master.server())).isEqualTo(1);
                eventually(() -> ""
                        .equals(String.valueOf(master.server().command("PUBSUB", "SHARDCHANNELS"))
                                .replaceAll("[\\[\\]]", "")));
            }
        }
    }

    @Test
    void cluster_subscribeIsUnknown() {
        try (RedisServer server = RedisServer.start()) {
            Shard.assumeSharded(server);
        }
        try (RedisCluster cluster = RedisCluster.builder()
                .replicasPerMaster(0)
                .config("rename-command", "SSUBSCRIBE", "")
                .start()) {
            assertFails(cluster.uris().get(0), "SUBSCRIBE", "proxy", "unknown command");
        }
    }
}
