package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Crowd;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Visits;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Failovers of a cluster that are repeated under load. */
@Tag("topology")
@Tag("slow")
class RepeatedFailoversTest {
    private static final String NAME = "failed over";
    private static final int FAILOVERS = 20;
    private static final int THREADS = 32;

    static Stream<RedisBinary> servers() {
        return Stream.of(RedisBinary.embedded(), RedisBinary.byDefault());
    }

    private static Holdfast connect(RedisCluster cluster) {
        return Holdfast.builder()
                .redisUri(cluster.uris().get(0))
                .failoverTimeout(Duration.ofSeconds(30))
                .build();
    }

    /** 64 threads of two clients pass a lock on through twenty failovers that the master agrees to: nothing is lost. */
    @ParameterizedTest
    @MethodSource("servers")
    void toAndFro_underLoad(RedisBinary binary) {
        try (RedisCluster cluster = RedisCluster.builder().binary(binary).start();
                Holdfast client = connect(cluster);
                Holdfast rival = connect(cluster)) {
            Guarded guarded = new Guarded();
            Crowd crowd = new Crowd(client.getLock(NAME), THREADS, guarded);
            Crowd rivals = new Crowd(rival.getLock(NAME), THREADS, guarded);
            for (int i = 0; i < FAILOVERS; i++) {
                int before = guarded.entered();
                eventually(() -> guarded.entered() > before + 100);
                ClusterNode master = cluster.masterOf(NAME);
                ClusterNode replica = cluster.replicasOf(master).get(0);
                failOver(cluster, replica);
                cluster.awaitReplicaOf(master, replica);
            }
            int before = guarded.entered();
            eventually(() -> guarded.entered() > before + 100);
            crowd.stop();
            rivals.stop();
            guarded.assertEntered(guarded.entered());
        }
    }

    /**
     * The same with replicas that take over without asking, and lack what was granted last: of two threads that have the lock
     * together, one is told.
     */
    @ParameterizedTest
    @MethodSource("servers")
    void takenOver_whileOwnersStay(RedisBinary binary) {
        try (RedisCluster cluster = RedisCluster.builder().binary(binary).start();
                Holdfast client = connect(cluster);
                Holdfast rival = connect(cluster)) {
            Visits visits = new Visits();
            Crowd crowd = visits.crowd(client.getLock(NAME), THREADS);
            Crowd rivals = visits.crowd(rival.getLock(NAME), THREADS);
            for (int i = 0; i < FAILOVERS; i++) {
                awaitProgress(visits);
                ClusterNode master = cluster.masterOf(NAME);
                ClusterNode replica = cluster.replicasOf(master).get(0);
                replica.cutReplication();
                awaitProgress(visits);
                visits.failOverWhileOwnersStay(() -> takeOver(cluster, master, replica, client, rival));
                replica.restoreReplication();
            }
            awaitProgress(visits);
            crowd.stop();
            rivals.stop();
            visits.assertLossesAreTold();
        }
    }

    /** The same while they go on: only until both clients know of the new master, two threads have the lock together. */
    @ParameterizedTest
    @MethodSource("servers")
    void takenOver_underLoad(RedisBinary binary) {
        try (RedisCluster cluster = RedisCluster.builder().binary(binary).start();
                Holdfast client = connect(cluster);
                Holdfast rival = connect(cluster)) {
            Visits visits = new Visits();
            Crowd crowd = visits.crowd(client.getLock(NAME), THREADS);
            Crowd rivals = visits.crowd(rival.getLock(NAME), THREADS);
            for (int i = 0; i < FAILOVERS; i++) {
                awaitProgress(visits);
                ClusterNode master = cluster.masterOf(NAME);
                ClusterNode replica = cluster.replicasOf(master).get(0);
                visits.failOverMeanwhile(() -> takeOver(cluster, master, replica, client, rival));
            }
            awaitProgress(visits);
            crowd.stop();
            rivals.stop();
            visits.assertLossesAreTold();
        }
    }

    private static void awaitProgress(Visits visits) {
        int before = visits.entered();
        eventually(() -> visits.entered() > before + 100);
    }

    /** Returns when the old master follows the new one, and the clients have been answered by that. */
    private static void takeOver(RedisCluster cluster, ClusterNode master, ClusterNode replica, Holdfast... clients) {
        cluster.failover(replica, Failover.TAKEOVER);
        cluster.awaitReplicaOf(master, replica);
        Stream.of(clients).forEach(client -> client.getLock(NAME).inspect());
    }

    /** The other masters vote for a replica of one master once in two node timeouts: it is asked again until then. */
    private static void failOver(RedisCluster cluster, ClusterNode replica) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    if (replica.isReplica()) {
                        replica.requestFailover(Failover.AGREED);
                    }
                    return !replica.isReplica();
                });
        cluster.awaitMaster(replica);
    }
}
