package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A client that is cut off together with its master: it is connected to that, which does not know that it was replaced, and
 * to no other server. On the other side of the divided network, a rival uses the new master.
 */
@Tag("topology")
@Tag("slow")
class CutOffMasterTest {
    private static final String NAME = "{cut off}";

    private static final Duration LEASE = Duration.ofSeconds(8);

    /** The loss of a hold is to be reported so long before its lease ends in Redis. */
    private static final Duration DRIFT_ALLOWANCE = Duration.ofSeconds(2);

    private static final Duration REPLICATED_WITHIN = Duration.ofMillis(600);

    private static final Duration DEADLINE = Duration.ofMillis(800);

    private static final int ATTEMPTS = 3;

    /** The servers of a lock, and a client that is on the side of the old master when they are divided. */
    private interface Divided extends AutoCloseable {
        /** The client that is cut off with the old master, after {@link #divide}. */
        Holdfast client();

        /** Connects a client to the new master, after {@link #divide}. */
        Holdfast connectRival();

        /** Cuts the client and the old master off, and returns when the other side has another master. */
        void divide();

        DataNode old();

        DataNode replacement();

        @Override
        void close();
    }

    /** A cluster. The nodes that neither side needs are stopped, so that the old master is the minority that it would be. */
    private static final class DividedCluster implements Divided {
        private final RedisCluster cluster;
        private final ClusterNode old;
        private final ClusterNode replica;
        private final ClientNetwork network;
        private final Holdfast client;

        DividedCluster(UnaryOperator<HoldfastBuilder> settings, Duration nodeTimeout) {
            cluster = RedisCluster.builder()
                    .nodeTimeout(nodeTimeout)
                    .config("cluster-require-full-coverage", "no")
                    .start();
            old = cluster.masterOf(NAME);
            replica = cluster.replicasOf(old).get(0);
            network = new ClientNetwork(
                    cluster.nodes().stream().collect(toMap(ClusterNode::announcedPort, ClusterNode::server)));
            client = network.connect(settings.apply(builder(old.uri())));
        }

        @Override
        public void divide() {
            cluster.awaitInSync(replica);
            network.cutOffFrom(server -> server != old.server());
            List<ClusterNode> others = cluster.nodes().stream()
                    .filter(node -> node != old && node != replica)
                    .toList();
            others.forEach(node -> node.server().pause());
            forget(old, replica);
            replica.requestFailover(Failover.TAKEOVER);
            eventually(() -> !replica.isReplica());
            forget(replica, old);
            others.forEach(node -> forget(replica, node));
        }

        private static void forget(ClusterNode at, ClusterNode other) {
            at.server().command("CLUSTER", "FORGET", other.id());
        }

        @Override
        public Holdfast client() {
            return client;
        }

        @Override
        public Holdfast connectRival() {
            return Holdfast.connect(replica.uri());
        }

        @Override
        public DataNode old() {
            return old;
        }

        @Override
        public DataNode replacement() {
            return replica;
        }

        @Override
        public void close() {
            client.close();
            network.close();
            cluster.close();
        }
    }

    /** A master under sentinels, which reach it by another way than the client does. */
    private static final class DividedSentinels implements Divided {
        private final RedisSentinels sentinels;
        private final DataNode old;
        private final ClientNetwork network;
        private final Holdfast client;

        DividedSentinels(UnaryOperator<HoldfastBuilder> settings, String replicasToWrite) {
            sentinels = RedisSentinels.builder()
                    .proxied()
                    .config("min-replicas-to-write", replicasToWrite)
                    .config("min-replicas-max-lag", "2")
                    .start();
            old = sentinels.master();
            Map<Integer, RedisServer> servers = new HashMap<>();
            sentinels.servers().forEach(server -> servers.put(server.announcedPort(), server.server()));
            sentinels.sentinels().forEach(sentinel -> servers.put(sentinel.port(), sentinel));
            network = new ClientNetwork(servers);
            client = network.connect(settings.apply(builder(sentinels.uri())));
        }

        @Override
        public void divide() {
            sentinels.replicas().forEach(sentinels::awaitInSync);
            network.cutOffFrom(server -> server != old.server());
            old.proxy().blackHole();
            sentinels.awaitMasterOtherThan(old);
        }

        @Override
        public Holdfast client() {
            return client;
        }

        @Override
        public Holdfast connectRival() {
            return Holdfast.connect(sentinels.uri());
        }

        @Override
        public DataNode old() {
            return old;
        }

        @Override
        public DataNode replacement() {
            return sentinels.master();
        }

        @Override
        public void close() {
            client.close();
            network.close();
            sentinels.close();
        }
    }

    private static HoldfastBuilder builder(String uri) {
        return Holdfast.builder().redisUri(uri).watchdogTimeout(LEASE).driftAllowance(DRIFT_ALLOWANCE);
    }

    private static UnaryOperator<HoldfastBuilder> replicated(int replicas) {
        return settings -> settings.replicated(replicas, REPLICATED_WITHIN);
    }

    /** A minority of a cluster refuses writes: the hold ends with its lease, and its owner is told. */
    @Test
    void held_ofACluster_isLost() {
        try (Divided divided = new DividedCluster(settings -> settings, Duration.ofSeconds(1))) {
            assertLost(divided);
        }
    }

    /** So does a master that is to have replicas. */
    @Test
    void held_underSentinels_isLost() {
        try (Divided divided = new DividedSentinels(settings -> settings, "1")) {
            assertLost(divided);
        }
    }

    private static void assertLost(Divided divided) {
        Lease lease = divided.client().getLock(NAME).acquire();

        divided.divide();

        assertThat(get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.REFUSED);
        assertThat(lease.isValid()).isFalse();
        assertFails(divided, "another");
        try (Holdfast rival = divided.connectRival()) {
            get(rival.getLock(NAME).acquireAsync()).close();
        }
    }

    /**
     * No lock is granted that the replicas do not have, from the moment on at which the network is divided: long before the
     * old master notices that it is in a minority.
     */
    @Test
    void replicated_ofACluster_grantsNothing() {
        try (Divided divided = new DividedCluster(replicated(1), Duration.ofMinutes(1))) {
            assertGrantsNothing(divided);
        }
    }

    /** The old master itself goes on, and accepts all writes. */
    @Test
    void replicated_underSentinels_grantsNothing() {
        try (Divided divided = new DividedSentinels(replicated(2), "0")) {
            assertGrantsNothing(divided);
        }
    }

    /**
     * A master sends nothing to a new replica that has acknowledged the snapshot before the master knew that its own process
     * for that had ended: until the next acknowledgement, a second later.
     */
    private static Lease acquireOnceReplicated(Holdfast client) {
        return Patience.await()
                .ignoreException(LockException.class)
                .until(() -> client.getLock(NAME).acquire(), Lease::isValid);
    }

    /** And what is held is lost before the rival has it. */
    private static void assertGrantsNothing(Divided divided) {
        Lease lease = acquireOnceReplicated(divided.client());
        CompletableFuture<?> lost = lease.lost().toCompletableFuture();

        divided.divide();

        try (Holdfast rival = divided.connectRival()) {
            CompletableFuture<Boolean> toldFirst =
                    rival.getLock(NAME).acquireAsync().thenApply(granted -> lost.isDone());
            int attempts = 0;
            while (!lost.isDone() || attempts < ATTEMPTS) {
                assertFails(divided, "attempt " + attempts++);
            }
            assertThat(get(toldFirst)).isTrue();
        }
        eventually(() -> assertThat(divided.old().server().keys()).isEmpty());
    }

    private static void assertFails(Divided divided, String suffix) {
        String name = NAME + suffix;
        assertThatThrownBy(() -> divided.client().getLock(name).tryLock(DEADLINE))
                .isInstanceOf(LockException.class);
        assertThat(divided.client().getLock(name).isHeldByCurrentThread()).isFalse();
        assertThat(divided.replacement().server().keys()).doesNotContain(name);
        eventually(() -> assertThat(divided.old().server().keys()).doesNotContain(name));
    }
}
