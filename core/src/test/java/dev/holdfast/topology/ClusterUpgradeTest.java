package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A cluster is upgraded from Redis 6.2, which has plain channels only, to one that has sharded channels, a node at a time:
 * clients wake each other at each node, whenever and by which node they were started.
 */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class ClusterUpgradeTest {
    private static Holdfast connect(ClusterNode seed) {
        return Holdfast.builder().redisUri(seed.uri()).watchdogTimeout(LONG).build();
    }

    private static boolean isSharded(ClusterNode node) {
        return node.server().version().compareTo("7") >= 0;
    }

    /** A waiter of the one is woken by the release of the other. Otherwise it would wait until the lease ends. */
    private static void assertWakes(Holdfast waiting, Holdfast releasing, String name) {
        Lease held = releasing.getLock(name).acquire();
        CompletableFuture<Boolean> waiter = elsewhere(() -> {
            try (Lease next = waiting.getLock(name).acquire()) {
                return next.isValid();
            }
        });
        eventually(() -> waiting.stats().waiters() == 1);
        held.close();
        assertThat(get(waiter, SOON)).isTrue();
    }

    private static void assertAllWakeEachOther(RedisCluster cluster, List<Holdfast> clients) {
        for (ClusterNode master : cluster.masters()) {
            String name = cluster.keyAt(master);
            for (Holdfast waiting : clients) {
                for (Holdfast releasing : clients) {
                    if (waiting != releasing) {
                        assertWakes(waiting, releasing, name);
                    }
                }
            }
        }
    }

    private static RedisBinary later() {
        assumeTrue(
                RedisBinary.onPath().isPresent(), "needs an installed server of a later version than the embedded one");
        return RedisBinary.onPath().orElseThrow();
    }

    private static RedisCluster older() {
        return RedisCluster.builder()
                .binary(RedisBinary.embedded())
                .masters(3)
                .replicasPerMaster(0)
                .nodeTimeout(Duration.ofSeconds(5))
                .start();
    }

    /** A replica of the later version takes over from its master. */
    @Test
    void nodes_areReplacedByNewerOnes() {
        RedisBinary later = later();
        try (RedisCluster cluster = older()) {
            ClusterNode former = cluster.masters().get(0);
            ClusterNode stays = cluster.masters().get(1);
            try (Holdfast early = connect(former);
                    Holdfast rival = connect(stays)) {
                assertAllWakeEachOther(cluster, List.of(early, rival));

                ClusterNode newer = cluster.addReplica(former, later);
                assumeTrue(isSharded(newer));
                CompletableFuture<Boolean> waiter;
                String name = cluster.keyAt(former);
                Lease held = rival.getLock(name).acquire();
                waiter = elsewhere(() -> {
                    try (Lease next = early.getLock(name).acquire()) {
                        return next.isValid();
                    }
                });
                eventually(() -> early.stats().waiters() == 1);
                cluster.failover(newer, Failover.AGREED);
                eventually(() -> !String.valueOf(newer.server().command("PUBSUB", "SHARDCHANNELS"))
                        .equals("[]"));
                held.close();
                assertThat(get(waiter, SOON)).isTrue();

                try (Holdfast lateByNewer = connect(newer);
                        Holdfast lateByOlder = connect(stays)) {
                    assertAllWakeEachOther(cluster, List.of(early, rival, lateByNewer, lateByOlder));
                }
            }
        }
    }

    /**
     * {@return whether the node is still there after a message in a sharded channel} Redis 8.0.2 is not, if it has the
     * {@code nodes.conf} of a 6.2: it does not know its own shard then, and the assertion {@code nodes_for_slot != NULL} fails.
     */
    private static boolean survivesShardedMessage(ClusterNode node, String channel) {
        try {
            node.server().command("SPUBLISH", channel, "");
            return true;
        } catch (UncheckedIOException noReply) {
            eventually(() -> !node.server().isRunning());
            return false;
        }
    }

    /** A node is restarted as the later version, at the same address: its clients subscribe anew. */
    @Test
    void node_isRestartedAsNewerOne() {
        RedisBinary later = later();
        try (RedisCluster cluster = older()) {
            ClusterNode node = cluster.masters().get(0);
            try (Holdfast early = connect(node);
                    Holdfast rival = connect(cluster.masters().get(1))) {
                assertAllWakeEachOther(cluster, List.of(early, rival));
                node.server().restart(later);
                assumeTrue(isSharded(node));
                cluster.awaitOk();
                assumeTrue(survivesShardedMessage(node, cluster.keyAt(node)), "the server crashes on its own");
                assertAllWakeEachOther(cluster, List.of(early, rival));
                try (Holdfast late = connect(node)) {
                    assertAllWakeEachOther(cluster, List.of(early, rival, late));
                }
            }
        }
    }
}
