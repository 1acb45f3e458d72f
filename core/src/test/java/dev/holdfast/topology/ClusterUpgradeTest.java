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

    @Test
    void nodes_areReplacedByNewerOnes() {
        assumeTrue(
                RedisBinary.onPath().isPresent(), "needs an installed server of a later version than the embedded one");
        try (RedisCluster cluster = RedisCluster.builder()
                .binary(RedisBinary.embedded())
                .masters(3)
                .replicasPerMaster(0)
                .nodeTimeout(Duration.ofSeconds(5))
                .start()) {
            ClusterNode former = cluster.masters().get(0);
            ClusterNode stays = cluster.masters().get(1);
            try (Holdfast early = connect(former);
                    Holdfast rival = connect(stays)) {
                assertAllWakeEachOther(cluster, List.of(early, rival));

                ClusterNode newer =
                        cluster.addReplica(former, RedisBinary.onPath().orElseThrow());
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
}
