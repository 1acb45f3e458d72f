package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A master that is stopped for longer than its replacement takes, and then continues. */
@Tag("topology")
class SilentMasterTest {
    /** Longer than the failover: the calls in flight do not end before the master continues. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(15);

    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.byDefault(), 1);

    private final RedisCluster cluster = redis.cluster();

    private static Holdfast connect(ClusterNode seed) {
        return Holdfast.builder()
                .redisUri(seed.uri())
                .commandTimeout(COMMAND_TIMEOUT)
                .build();
    }

    /** It executes what lies in its sockets as if it were the master still: what it grants is not believed. */
    @Test
    void grant_afterTheFailover() {
        String name = "granted by a deposed master";
        ClusterNode old = cluster.masterOf(name);
        ClusterNode replica = cluster.replicasOf(old).get(0);
        try (Holdfast late = connect(old)) {
            late.getLock(name).acquire().close();
            old.server().pause();
            CompletableFuture<Lease> waiting = late.getLock(name).acquireAsync();
            cluster.awaitMaster(replica);
            try (Holdfast prompt = connect(replica)) {
                Lease held = get(prompt.getLock(name).acquireAsync());

                old.server().resume();

                eventually(() -> waiting.isDone() || late.stats().waiters() == 1);
                assertThat(waiting).isNotDone();
                held.close();
                get(waiting).close();
            }
        }
        cluster.awaitReplicaOf(old, replica);
    }

    /** A client that has not used it so far does not wait for its connection, but asks who has taken its place. */
    @Test
    void connection_isNotAwaited() {
        String name = "first used after the failover";
        ClusterNode old = cluster.masterOf(name);
        ClusterNode replica = cluster.replicasOf(old).get(0);
        try (Holdfast client = connect(replica)) {
            old.server().pause();
            cluster.awaitMaster(replica);

            get(client.getLock(name).acquireAsync(), SOON).close();

            old.server().resume();
        }
        cluster.awaitReplicaOf(old, replica);
    }
}
