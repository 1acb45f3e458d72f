package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.holdfast.Crowd;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Visits;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisReplyException;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Twenty failovers of a cluster, one after the other, in which 64 threads of two clients pass a lock on. Without sharded
 * channels there are six.
 */
@Tag("topology")
@Tag("slow")
class RepeatedFailoversTest {
    private static final String NAME = "failed over";
    private static final int THREADS = 32;

    static Stream<Arguments> servers() {
        return Stream.of(arguments(RedisBinary.embedded(), 6), arguments(RedisBinary.byDefault(), 20));
    }

    /** A cluster and two clients of it. */
    private static final class Deployment implements AutoCloseable {
        final RedisCluster cluster;
        final Holdfast client;
        final Holdfast rival;
        private final int failovers;

        Deployment(RedisBinary binary, int failovers) {
            this.failovers = failovers;
            cluster = RedisCluster.builder().binary(binary).start();
            client = connect();
            rival = connect();
        }

        private Holdfast connect() {
            return Holdfast.builder()
                    .redisUri(cluster.uris().get(0))
                    .failoverTimeout(Duration.ofSeconds(30))
                    .build();
        }

        /**
         * Replaces the master again and again, while owners go on.
         *
         * @param entered how often an owner has had the lock
         * @param failOver makes the second node the master, in place of the first
         */
        void failOver(IntSupplier entered, BiConsumer<ClusterNode, ClusterNode> failOver) {
            for (int i = 0; i < failovers; i++) {
                awaitProgress(entered);
                ClusterNode master = cluster.masterOf(NAME);
                failOver.accept(master, cluster.replicasOf(master).get(0));
            }
            awaitProgress(entered);
        }

        /** The other masters vote for a replica of one master once in two node timeouts: it is asked again until then. */
        void failOverAgreed(ClusterNode master, ClusterNode replica) {
            await().atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        if (replica.isReplica()) {
                            request(replica);
                        }
                        return !replica.isReplica();
                    });
            cluster.awaitMaster(replica);
            cluster.awaitReplicaOf(master, replica);
        }

        /** The request before may be granted just now; a node that is the master by it refuses another one. */
        private static void request(ClusterNode replica) {
            try {
                replica.requestFailover(Failover.AGREED);
            } catch (RedisReplyException refused) {
                if (replica.isReplica()) {
                    throw refused;
                }
            }
        }

        /** Returns when the old master follows the new one, and the clients have been answered by that. */
        void takeOver(ClusterNode master, ClusterNode replica) {
            cluster.failover(replica, Failover.TAKEOVER);
            cluster.awaitReplicaOf(master, replica);
            Stream.of(client, rival).forEach(each -> each.getLock(NAME).inspect());
        }

        @Override
        public void close() {
            client.close();
            rival.close();
            cluster.close();
        }
    }

    private static void awaitProgress(IntSupplier entered) {
        int before = entered.getAsInt();
        eventually(() -> entered.getAsInt() > before + 100);
    }

    /** Through failovers that the master agrees to, nothing is lost. */
    @ParameterizedTest
    @MethodSource("servers")
    void toAndFro_underLoad(RedisBinary binary, int failovers) {
        try (Deployment deployment = new Deployment(binary, failovers)) {
            Guarded guarded = new Guarded();
            Crowd crowd = new Crowd(deployment.client.getLock(NAME), THREADS, guarded);
            Crowd rivals = new Crowd(deployment.rival.getLock(NAME), THREADS, guarded);
            deployment.failOver(guarded::entered, deployment::failOverAgreed);
            crowd.stop();
            rivals.stop();
            guarded.assertEntered(guarded.entered());
        }
    }

    /** If the replicas take over without asking, two threads have the lock together only until both clients know of that. */
    @ParameterizedTest
    @MethodSource("servers")
    void takenOver_underLoad(RedisBinary binary, int failovers) {
        assertLossesAreTold(
                binary,
                failovers,
                (deployment, visits) -> deployment.failOver(
                        visits::entered,
                        (master, replica) -> visits.failOverMeanwhile(() -> deployment.takeOver(master, replica))));
    }

    /** If they lack what was granted last as well, one of two threads that have the lock together then is told. */
    @ParameterizedTest
    @MethodSource("servers")
    void takenOver_whileOwnersStay(RedisBinary binary, int failovers) {
        assertLossesAreTold(
                binary,
                failovers,
                (deployment, visits) -> deployment.failOver(visits::entered, (master, replica) -> {
                    replica.cutReplication();
                    awaitProgress(visits::entered);
                    visits.failOverWhileOwnersStay(() -> deployment.takeOver(master, replica));
                    replica.restoreReplication();
                }));
    }

    private static void assertLossesAreTold(
            RedisBinary binary, int failovers, BiConsumer<Deployment, Visits> failOver) {
        try (Deployment deployment = new Deployment(binary, failovers)) {
            Visits visits = new Visits();
            Crowd crowd = visits.crowd(deployment.client.getLock(NAME), THREADS);
            Crowd rivals = visits.crowd(deployment.rival.getLock(NAME), THREADS);
            failOver.accept(deployment, visits);
            crowd.stop();
            rivals.stop();
            visits.assertLossesAreTold();
        }
    }
}
