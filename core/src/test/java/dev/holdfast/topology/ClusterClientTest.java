package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client of a cluster connects to, and which locks it offers. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class ClusterClientTest {
    /** The description of a connection over which locks are acquired, and the nodes asked for the table. */
    private static final Predicate<String> COMMANDS =
            Pattern.compile(" cmd=(evalsha|cluster)\\b").asPredicate();

    private static final int LOCKS = 1_000;

    /** A client connects to another master if the first one is not connected by then. */
    private static final Duration SLOW = Duration.ofMillis(500);

    /** A node timeout with which a master that is down is not replaced. */
    private static final Duration FAR_LONGER_THAN_A_TEST = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.byDefault(), 1);

    private static int connections() {
        return connections(connection -> true);
    }

    private static int connections(Predicate<String> which) {
        return (int) redis.cluster().nodes().stream()
                .flatMap(node -> node.server().clients().stream())
                .filter(which)
                .count();
    }

    /** A thousand locks share a command connection to each master, and one for subscriptions; none is left after the close. */
    @Test
    void locks_shareTheConnectionsOfTheirMaster() {
        int before = connections();
        int commandsBefore = connections(COMMANDS);
        List<Lease> leases = new ArrayList<>();
        Holdfast client = redis.connect(builder -> builder);
        try (client) {
            for (int i = 0; i < LOCKS; i++) {
                leases.add(client.getLock("many " + i).acquire());
            }
            assertThat(client.isConnected()).isTrue();
            eventually(() ->
                    connections() == before + 2 * redis.cluster().masters().size());
            assertThat(connections(COMMANDS))
                    .isEqualTo(commandsBefore + redis.cluster().masters().size());
            for (ClusterNode master : redis.cluster().masters()) {
                assertThat(master.server().keys()).hasSizeGreaterThan(LOCKS / 10);
            }
            leases.forEach(Lease::close);
            assertThat(redis.keys()).isEmpty();
        }
        eventually(() -> connections() == before);
    }

    /** Nodes without a lock in use are not connected to, beyond the first one. */
    @Test
    void nodes_areConnectedWhenUsed() {
        int before = connections();
        long startNanos = System.nanoTime();
        try (Holdfast client = redis.connect(builder -> builder)) {
            assumeTrue(
                    since(startNanos).compareTo(SLOW) < 0, "the first one was slow, so another one was connected to");
            assertThat(client.isConnected()).isTrue();
            eventually(() -> connections() == before + 2);
        }
    }

    /** What is to be known of a lock is the same whether its master was connected or not. */
    @Test
    void inspected_atAMasterThatIsNotConnected() {
        ClusterNode first = redis.cluster().masters().get(0);
        ClusterNode second = redis.cluster().masters().get(1);
        assumeFalse(second.server().version().startsWith("6."), "it does not count who listens at other nodes");
        try (Holdfast client = Holdfast.connect(first.uri())) {
            client.getLock(redis.cluster().keyAt(first)).acquire().close();
            assertThat(client.getLock(redis.cluster().keyAt(second)).inspect().listeners())
                    .hasValue(0);
        }
    }

    /** The node that is named may be a replica: it is asked who the masters are. */
    @Test
    void seed_mayBeAReplica() {
        ClusterNode master = redis.cluster().masters().get(0);
        ClusterNode replica = redis.cluster().replicasOf(master).get(0);
        try (Holdfast client = Holdfast.connect(replica.uri());
                Lease lease = client.getLock(redis.cluster().keyAt(master)).acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(master.server().keys()).hasSize(1);
        }
    }

    /** Of several nodes that are named, those that do not answer are skipped. */
    @Test
    void seeds_allButOneAreDead() {
        ClusterNode master = redis.cluster().masters().get(0);
        String uri = "redis://127.0.0.1:1,127.0.0.1:2," + master.uri().replaceFirst("^redis://", "");
        try (Holdfast client = Holdfast.connect(uri);
                Lease lease = client.getLock("seeded").acquire()) {
            assertThat(lease.isValid()).isTrue();
        }
    }

    /**
     * The nodes that were named are asked again when no other is left: a cluster does not name a replica that has received
     * nothing so far.
     */
    @Test
    void seeds_areAskedAgain() {
        try (RedisCluster shard = RedisCluster.builder().masters(1).start()) {
            ClusterNode master = shard.masters().get(0);
            ClusterNode replica = shard.replicasOf(master).get(0);
            String uri = master.uri() + replica.uri().replaceFirst("^redis://", ",");
            try (Holdfast client = Holdfast.connect(uri)) {
                client.getLock("seeded").acquire().close();

                master.server().kill();
                shard.failover(replica, Failover.TAKEOVER);

                get(client.getLock("seeded").acquireAsync()).close();
            }
        }
    }

    /** A client can be created while one of the masters is down, or stopped, and use the locks of the others. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void create_whileAMasterFails(boolean stopped) {
        try (RedisCluster failing = RedisCluster.builder()
                .replicasPerMaster(0)
                .nodeTimeout(FAR_LONGER_THAN_A_TEST)
                .config("cluster-require-full-coverage", "no")
                .start()) {
            ClusterNode down = failing.masterOf(0);
            List<ClusterNode> others = new ArrayList<>(failing.masters());
            others.remove(down);
            String name = failing.keyAt(others.get(1));
            if (stopped) {
                down.server().pause();
            } else {
                down.server().kill();
            }

            try (Holdfast client = Holdfast.connect(others.get(0).uri());
                    Lease lease = client.getLock(name).acquire()) {
                assertThat(lease.isValid()).isTrue();
            }
            try (Holdfast client = Holdfast.connect(aliasOf(others.get(0)));
                    Lease lease = client.getLock(name).acquire()) {
                assertThat(lease.isValid()).isTrue();
            }
        }
    }

    /** {@return another address of this node than that which it announces: the client does not know that it is one of the masters} */
    private static String aliasOf(ClusterNode node) {
        return node.uri().replace("127.0.0.1", "localhost");
    }

    /** A node of another cluster that is named by mistake does not take over the locks when no other node answers. */
    @Test
    void seeds_ofAnotherCluster_areIgnored() {
        try (RedisCluster used =
                        RedisCluster.builder().masters(1).replicasPerMaster(0).start();
                RedisCluster other =
                        RedisCluster.builder().masters(1).replicasPerMaster(0).start();
                CapturedWarnings warnings = new CapturedWarnings()) {
            ClusterNode master = used.masters().get(0);
            ClusterNode stranger = other.masters().get(0);
            stranger.server().pause();
            String uri = master.uri() + stranger.uri().replaceFirst("^redis://", ",");
            try (Holdfast client = Holdfast.connect(uri)) {
                client.getLock("seeded").acquire().close();
                stranger.server().resume();

                master.server().kill();

                String address = stranger.uri().replace("redis://", "");
                eventually(() -> assertThat(warnings.text()).contains(address + " is a node of another cluster"));
                assertThatThrownBy(() -> client.getLock("seeded").tryLock(Duration.ofSeconds(1)))
                        .isInstanceOf(LockException.class);
                assertThat(stranger.server().keys()).isEmpty();
            }
        }
    }

    /** A name whose key and channel would be in different slots is refused, by a message that says so. */
    @Test
    void name_withBracesThatAreNoTag_isRefused() {
        for (String name : List.of("or{der", "or}der", "{}")) {
            assertThatThrownBy(() -> redis.client().getLock(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("slots");
        }
        assertThat(redis.client().getFencedLock("{orders}:42").tryLock()).isTrue();
        redis.client().getFencedLock("{orders}:42").unlock();
        eventually(() -> redis.client().isConnected());
    }
}
