package dev.holdfast.cli.found;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Finds the locks and the semaphores among the keys of a Redis, which the library has no call for: it needs a right that locks do
 * not need.
 */
public final class LockScan implements AutoCloseable {
    private static final Duration RECONNECT_EVERY = Duration.ofSeconds(1);
    private static final Duration REFRESH_EVERY = Duration.ofSeconds(10);

    private final Supplier<List<ScannedNode>> nodes;
    private final RedisClusterAsyncCommands<String, String> commands;
    private final Runnable closing;

    private LockScan(
            Supplier<List<ScannedNode>> nodes, RedisClusterAsyncCommands<String, String> commands, Runnable closing) {
        this.nodes = nodes;
        this.commands = commands;
        this.closing = closing;
    }

    /**
     * Connects to one server, or to a cluster.
     *
     * @param uris of the servers of the address, or that of its sentinels
     */
    public static LockScan connect(List<RedisURI> uris) {
        uris.forEach(FixedCredentials::in);
        ClientResources resources = ClientResources.builder()
                .reconnectDelay(Delay.constant(RECONNECT_EVERY))
                .build();
        RedisClient client = RedisClient.create(resources);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        Runnable closing = () -> {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            shutDown(resources);
        };
        try {
            StatefulRedisConnection<String, String> connection = connectToAny(client, uris);
            if (!isCluster(connection)) {
                List<ScannedNode> only = List.of(new ScannedNode("", connection::async));
                return new LockScan(() -> only, connection.async(), closing);
            }
        } catch (RuntimeException e) {
            closing.run();
            throw e;
        }
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        return connectToCluster(uris, resources);
    }

    private static StatefulRedisConnection<String, String> connectToAny(RedisClient client, List<RedisURI> uris) {
        RuntimeException failure = new IllegalArgumentException("no address");
        for (RedisURI uri : uris) {
            try {
                return client.connect(uri);
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private static LockScan connectToCluster(List<RedisURI> uris, ClientResources resources) {
        RedisClusterClient client = RedisClusterClient.create(resources, uris);
        client.setOptions(ClusterClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH_EVERY)
                        .build())
                .build());
        Runnable closing = () -> {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            shutDown(resources);
        };
        try {
            StatefulRedisClusterConnection<String, String> connection = client.connect();
            return new LockScan(() -> masters(connection), connection.async(), closing);
        } catch (RuntimeException e) {
            closing.run();
            throw e;
        }
    }

    private static List<ScannedNode> masters(StatefulRedisClusterConnection<String, String> connection) {
        return connection.getPartitions().stream()
                .filter(node -> node.getRole().isUpstream() && !node.hasNoSlots())
                .map(RedisClusterNode::getNodeId)
                .map(id ->
                        new ScannedNode(id, () -> connection.getConnection(id).async()))
                .toList();
    }

    /** A refusal says nothing of it, and is thrown: the keys of one node alone would pass for all that there are. */
    private static boolean isCluster(StatefulRedisConnection<String, String> connection) {
        return connection.sync().info("cluster").contains("cluster_enabled:1");
    }

    @SuppressWarnings("FutureReturnValueIgnored") // its threads end by themselves
    private static void shutDown(ClientResources resources) {
        resources.shutdown(0, 2, TimeUnit.SECONDS);
    }

    /** {@return the servers that have keys at this moment: one, or the masters of a cluster} */
    public List<ScannedNode> nodes() {
        return nodes.get();
    }

    /** {@return commands for single keys, which are sent to the server that has them} */
    public RedisClusterAsyncCommands<String, String> commands() {
        return commands;
    }

    /** {@return the names that match the pattern, of locks that are held at the moment they are looked at, and of semaphores} */
    public FoundNames find(NamePattern pattern) {
        TreeSet<String> locks = new TreeSet<>();
        TreeSet<String> semaphores = new TreeSet<>();
        for (ScannedNode node : nodes()) {
            KeyScanCursor<String> page = ScannedNode.join(node.page(ScanCursor.INITIAL, pattern.ofKeys()));
            while (true) {
                note(page.getKeys(), node, pattern, locks, semaphores);
                if (page.isFinished()) {
                    break;
                }
                page = ScannedNode.join(node.page(page, pattern.ofKeys()));
            }
        }
        return new FoundNames(List.copyOf(locks), List.copyOf(semaphores));
    }

    private static void note(
            List<String> keys, ScannedNode node, NamePattern pattern, Set<String> locks, Set<String> semaphores) {
        List<String> others = new ArrayList<>();
        for (String key : keys) {
            Target.named(key)
                    .ifPresentOrElse(
                            target -> {
                                if (target.kind() == Target.Kind.SEMAPHORE && pattern.matches(target.name())) {
                                    semaphores.add(target.name());
                                }
                            },
                            () -> others.add(key));
        }
        locks.addAll(node.locksAmong(others.stream().filter(pattern::matches).toList()));
    }

    @Override
    public void close() {
        closing.run();
    }
}
