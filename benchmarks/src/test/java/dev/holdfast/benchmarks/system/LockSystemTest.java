package dev.holdfast.benchmarks.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The connection of clients to more than one server. */
@Tag("slow")
@Tag("harness")
class LockSystemTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** The systems that wait for replicas do so, of their own accord or as they are configured. */
    @Test
    void connect_cluster_waitsForReplicasWhereItShould() {
        try (RedisCluster cluster = RedisCluster.start()) {
            List<RedisServer> servers =
                    cluster.nodes().stream().map(ClusterNode::server).toList();
            String uri = servers.stream()
                    .map(server -> server.host() + ":" + server.port())
                    .collect(Collectors.joining(",", "redis://", ""));

            assertThat(waitsOf(LockSystem.HOLDFAST, uri, "name", servers)).isZero();
            assertThat(waitsOf(LockSystem.REPLICATED, uri, "name", servers)).isPositive();
            assertThat(waitsOf(LockSystem.SELECTED, uri, "name", servers)).isZero();
            assertThat(waitsOf(LockSystem.SELECTED, uri, LockSystem.SELECTED_NAMES + "name", servers))
                    .isPositive();
            assertThat(waitsOf(LockSystem.REDISSON, uri, "name", servers)).isPositive();
        }
    }

    /** Behind sentinels, the lock is on the master that they name. */
    @Test
    void connect_sentinels_locksOnTheirMaster() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            RedisServer master = sentinels.master().server();

            for (LockSystem system : List.of(LockSystem.HOLDFAST, LockSystem.REPLICATED, LockSystem.REDISSON)) {
                try (LockClient client = system.connect(sentinels.uri(), LEASE)) {
                    String name = "held by " + system;
                    client.lock(name).lock();

                    assertThat(master.keys()).contains(name);
                }
            }
        }
    }

    private static long waitsOf(LockSystem system, String uri, String name, List<RedisServer> servers) {
        try (LockClient client = system.connect(uri, LEASE)) {
            long before = waits(servers);
            BlockingLock lock = client.lock(name);
            lock.lock();
            lock.unlock();
            return waits(servers) - before;
        }
    }

    private static long waits(List<RedisServer> servers) {
        return servers.stream()
                .flatMap(server ->
                        Objects.toString(server.command("INFO", "commandstats")).lines())
                .filter(line -> line.startsWith("cmdstat_wait:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^=]*=(\\d+),.*", "$1")))
                .sum();
    }
}
