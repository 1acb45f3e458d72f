package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.RedisServerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Configures a {@link RedisCluster}. */
public final class RedisClusterBuilder {
    private final List<UnaryOperator<RedisServerBuilder>> settings = new ArrayList<>();
    private int masters = 3;
    private int replicasPerMaster = 1;
    private Duration nodeTimeout = Duration.ofSeconds(1);
    private boolean proxied;
    private @Nullable String password;

    RedisClusterBuilder() {}

    /** The number of masters, 3 by default; with fewer than 3 there is no failover by vote when one has failed. */
    public RedisClusterBuilder masters(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("a cluster must have at least 1 master, was " + number);
        }
        this.masters = number;
        return this;
    }

    /** The number of replicas of each master, 1 by default. */
    public RedisClusterBuilder replicasPerMaster(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("replicas must not be negative, was " + number);
        }
        this.replicasPerMaster = number;
        return this;
    }

    /**
     * The time after which a silent node counts as failed, 1 s by default. A failover takes about 1.6 times as long,
     * and 0.8 s more.
     */
    public RedisClusterBuilder nodeTimeout(Duration timeout) {
        this.nodeTimeout = timeout;
        return this;
    }

    /**
     * Puts a proxy in front of each node, which announces the proxy's port; so clients that ask the cluster for
     * addresses pass the proxies, and so do replicas. The cluster bus does not: nodes whose proxies are cut remain up.
     */
    public RedisClusterBuilder proxied() {
        this.proxied = true;
        return this;
    }

    /** The password that clients and replicas need. */
    public RedisClusterBuilder password(String secret) {
        this.password = secret;
        settings.add(server -> server.config("requirepass", secret).config("masterauth", secret));
        return this;
    }

    /** The executable of all nodes, instead of {@link RedisBinary#byDefault()}. */
    public RedisClusterBuilder binary(RedisBinary choice) {
        settings.add(server -> server.binary(choice));
        return this;
    }

    /** One line of the {@code redis.conf} of all nodes, overriding the testkit's own. */
    public RedisClusterBuilder config(String name, String... values) {
        settings.add(server -> server.config(name, values));
        return this;
    }

    /**
     * Starts the nodes and makes them a cluster. When this returns, all slots are served, all nodes agree, and all
     * replicas are in sync.
     */
    public RedisCluster start() {
        RedisCluster cluster = new RedisCluster(this);
        try {
            cluster.form(masters, replicasPerMaster);
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    @Nullable
    String password() {
        return password;
    }

    /** @param binary null for that of the cluster */
    ClusterNode newNode(@Nullable RedisBinary binary) {
        RedisServerBuilder builder = RedisServer.builder()
                .clusterNode()
                .config("cluster-node-timeout", Long.toString(nodeTimeout.toMillis()));
        for (UnaryOperator<RedisServerBuilder> setting : settings) {
            builder = setting.apply(builder);
        }
        RedisServer server = (binary == null ? builder : builder.binary(binary)).start();
        try {
            return new ClusterNode(server, proxied);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }
}
