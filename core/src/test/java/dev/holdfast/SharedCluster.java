package dev.holdfast;

import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One cluster for all tests of a class, and two clients of it. */
public final class SharedCluster implements AfterAllCallback {
    private final RedisCluster cluster;
    private final Holdfast first;
    private final Holdfast second;

    public SharedCluster(RedisBinary binary, int replicasPerMaster) {
        cluster = RedisCluster.builder()
                .binary(binary)
                .replicasPerMaster(replicasPerMaster)
                .start();
        first = connect(builder -> builder);
        second = connect(builder -> builder);
    }

    public RedisCluster cluster() {
        return cluster;
    }

    /** {@return whether releases are published on sharded channels, which there are from Redis 7.0 on} */
    public boolean isSharded() {
        return !cluster.nodes().get(0).server().version().startsWith("6.");
    }

    public Holdfast client() {
        return first;
    }

    /** {@return another client, which competes with the first one} */
    public Holdfast rival() {
        return second;
    }

    /** {@return a client that the test closes} */
    public Holdfast connect(UnaryOperator<HoldfastBuilder> settings) {
        String seed = cluster.masters().get(0).uri();
        return settings.apply(Holdfast.builder().redisUri(seed)).build();
    }

    /** {@return the keys on all masters, except for tokens of fenced locks, which stay} */
    public List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (ClusterNode master : cluster.masters()) {
            keys.addAll(master.server().keys());
        }
        return LockKinds.withoutTokens(keys);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        first.close();
        second.close();
        cluster.close();
    }
}
