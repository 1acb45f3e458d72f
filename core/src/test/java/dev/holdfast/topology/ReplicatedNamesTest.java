package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client of which some locks are replicated, and others are not. */
@Tag("topology")
@Tag("slow")
class ReplicatedNamesTest {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(10);

    /** How long a replicated grant waits for a replica that is cut off: longer than a test takes meanwhile. */
    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    private static final String REPLICATED = "ledger:42";
    private static final String OTHER = "stock:42";

    private static Holdfast connect(String uri) {
        return Holdfast.builder()
                .redisUri(uri)
                .commandTimeout(COMMAND_TIMEOUT)
                .replicated(1, TIMEOUT, name -> name.startsWith("ledger:"))
                .build();
    }

    /** A master with one replica. */
    private enum Setup {
        ONE_SERVER,
        SENTINELS,
        CLUSTER;

        Servers start() {
            return switch (this) {
                case ONE_SERVER -> new Sentinelled(false);
                case SENTINELS -> new Sentinelled(true);
                case CLUSTER -> new Clustered();
            };
        }
    }

    private interface Servers extends AutoCloseable {
        String uri();

        DataNode master();

        DataNode replica();

        @Override
        void close();
    }

    private static final class Sentinelled implements Servers {
        private final RedisSentinels sentinels = RedisSentinels.builder()
                .binary(RedisBinary.byDefault())
                .replicas(1)
                .start();
        private final boolean named;

        Sentinelled(boolean named) {
            this.named = named;
        }

        @Override
        public String uri() {
            return named ? sentinels.uri() : master().uri();
        }

        @Override
        public DataNode master() {
            return sentinels.master();
        }

        @Override
        public DataNode replica() {
            return sentinels.replicas().get(0);
        }

        @Override
        public void close() {
            sentinels.close();
        }
    }

    private static final class Clustered implements Servers {
        private final RedisCluster cluster = RedisCluster.builder().masters(1).start();

        @Override
        public String uri() {
            return master().uri();
        }

        @Override
        public ClusterNode master() {
            return cluster.masters().get(0);
        }

        @Override
        public ClusterNode replica() {
            return cluster.replicasOf(master()).get(0);
        }

        @Override
        public void close() {
            cluster.close();
        }
    }

    /** While a grant waits for a replica, locks that are not replicated are acquired and released. */
    @ParameterizedTest
    @EnumSource
    void others_areNotDelayed(Setup setup) {
        try (Servers servers = setup.start();
                Holdfast client = connect(servers.uri())) {
            client.getLock(OTHER).acquire().close();
            client.getLock(REPLICATED).acquire().close();
            servers.replica().cutReplication();

            CompletableFuture<Lease> waiting = client.getLock(REPLICATED).acquireAsync();
            eventually(() -> servers.master().server().keys().contains(REPLICATED));
            for (int i = 0; i < 10; i++) {
                client.getLock(OTHER).acquire().close();
            }
            assertThat(waiting).isNotDone();

            assertThatThrownBy(() -> get(waiting))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("0 of 1 replicas");
            eventually(() -> assertThat(servers.master().server().keys()).isEmpty());
        }
    }

    /** Both exclude other clients, whose waiters are woken; the plain and the fenced lock of a name are one lock. */
    @ParameterizedTest
    @EnumSource
    void both_areLocks(Setup setup) {
        try (Servers servers = setup.start();
                Holdfast client = connect(servers.uri());
                Holdfast rival = connect(servers.uri())) {
            for (String name : List.of(REPLICATED, OTHER)) {
                Lease lease = client.getLock(name).acquire();
                FencedLock fenced = client.getFencedLock(name);
                assertThat(fenced.tryLock()).isFalse();
                CompletableFuture<Lease> waiting = rival.getLock(name).acquireAsync();
                eventually(() -> rival.stats().waiters() == 1);
                lease.close();
                get(waiting).close();
            }
            assertThat(client.isConnected()).isTrue();
        }
    }

    /** Both move to the new master. */
    @Test
    void both_failOver() {
        try (Clustered servers = new Clustered();
                Holdfast client = connect(servers.uri());
                Holdfast rival = connect(servers.uri())) {
            Lease replicated = client.getLock(REPLICATED).acquire();
            Lease other = client.getLock(OTHER).acquire();
            List<CompletableFuture<Lease>> waiting = List.of(
                    rival.getLock(REPLICATED).acquireAsync(),
                    rival.getLock(OTHER).acquireAsync());
            eventually(() -> rival.stats().waiters() == 2);
            ClusterNode master = servers.master();
            ClusterNode replica = servers.replica();

            servers.cluster.failover(replica, Failover.AGREED);
            servers.cluster.awaitReplicaOf(master, replica);

            replicated.close();
            other.close();
            waiting.forEach(each -> get(each).close());
        }
    }

    /** Nothing of the two sets of connections is left. */
    @ParameterizedTest
    @EnumSource
    void close_leavesNoConnection(Setup setup) {
        try (Servers servers = setup.start()) {
            int before = servers.master().server().clients().size();
            try (Holdfast client = connect(servers.uri())) {
                client.getLock(OTHER).acquire().close();
                client.getLock(REPLICATED).acquire().close();
                assertThat(servers.master().server().clients()).hasSize(before + 4);
            }
            eventually(() -> servers.master().server().clients().size() == before);
        }
    }
}
