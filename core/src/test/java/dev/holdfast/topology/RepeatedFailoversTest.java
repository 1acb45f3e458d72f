package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Crowd;
import dev.holdfast.DistributedLock;
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
     * The same with replicas that take over without asking. What the master has acknowledged last can be lost then: of
     * two threads that have the lock together, one is told.
     */
    @ParameterizedTest
    @MethodSource("servers")
    void takenOver_underLoad(RedisBinary binary) {
        try (RedisCluster cluster = RedisCluster.builder().binary(binary).start();
                Holdfast client = connect(cluster);
                Holdfast rival = connect(cluster)) {
            Visits visits = new Visits();
            Crowd crowd = crowd(client.getLock(NAME), visits);
            Crowd rivals = crowd(rival.getLock(NAME), visits);
            for (int i = 0; i < FAILOVERS; i++) {
                int before = visits.entered();
                eventually(() -> visits.entered() > before + 100);
                ClusterNode master = cluster.masterOf(NAME);
                ClusterNode replica = cluster.replicasOf(master).get(0);
                cluster.failover(replica, Failover.TAKEOVER);
                cluster.awaitReplicaOf(master, replica);
            }
            int before = visits.entered();
            eventually(() -> visits.entered() > before + 100);
            crowd.stop();
            rivals.stop();
            visits.assertLossesAreTold();
        }
    }

    private static Crowd crowd(DistributedLock lock, Visits visits) {
        return new Crowd(THREADS, new Guarded(), work -> {
            lock.lock();
            visits.pass(lock, work);
        });
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
