package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.Slots;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nodes of a cluster that come, go, change their addresses or lose their majority, while locks are used. */
@Tag("topology")
@Tag("slow")
class ClusterChangesTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final String NAME = "used while the cluster changes";

    @AutoClose
    private final RedisCluster cluster = RedisCluster.builder()
            .proxied()
            .replicasPerMaster(0)
            .config("cluster-require-full-coverage", "no")
            .start();

    @AutoClose
    private final Holdfast client = connect(builder -> builder.watchdogTimeout(LEASE));

    @AutoClose
    private final Holdfast rival = connect(builder -> builder.watchdogTimeout(LEASE));

    private Holdfast connect(UnaryOperator<HoldfastBuilder> settings) {
        return settings.apply(Holdfast.builder().redisUri(cluster.uris().get(0)))
                .build();
    }

    private CompletableFuture<Lease> waiting() {
        CompletableFuture<Lease> waiting = rival.getLock(NAME).acquireAsync();
        eventually(() -> rival.stats().waiters() == 1);
        return waiting;
    }

    /** A slot that is moved to a new node takes its lock along, and back again when that node is removed. */
    @Test
    void node_comesAndGoes() {
        ClusterNode first = cluster.masterOf(NAME);
        Lease lease = client.getLock(NAME).acquire();
        CompletableFuture<Lease> waiting = waiting();

        ClusterNode added = cluster.addMaster();
        cluster.awaitOk();
        cluster.migrate(Slots.of(NAME), added);
        lease.close();
        Lease next = get(waiting);
        assertThat(added.server().keys()).contains(NAME);

        cluster.migrate(Slots.of(NAME), first);
        cluster.remove(added);
        next.close();
        client.getLock(NAME).acquire().close();
        assertThat(first.server().keys()).isEmpty();
    }

    /** The connections to a node that has another address by now are replaced by some to that one. */
    @Test
    void address_changes() throws Exception {
        ClusterNode master = cluster.masterOf(NAME);
        Lease lease = client.getLock(NAME).acquire();
        CompletableFuture<Lease> waiting = waiting();
        try (FaultProxy moved = FaultProxy.inFrontOf(master.server())) {
            cluster.announce(master, moved.port());
            master.proxy().refuse();
            master.proxy().cutRst();

            assertThat(client.getLock(NAME).tryLock()).isFalse();
            assertThat(lease.isValid()).isTrue();
            lease.close();
            get(waiting).close();
            assertThat(moved.connections()).isNotEmpty();
        }
    }

    /** A grant that nobody wants any more is released where its lock is by then, and nobody is warned of the detour. */
    @Test
    void orphan_isMoved() {
        ClusterNode first = cluster.masterOf(NAME);
        client.getLock(NAME).acquire().close();
        try (CapturedWarnings warnings = new CapturedWarnings()) {
            first.proxy().blackHole(Direction.REPLIES);
            CompletableFuture<Lease> given = client.getLock(NAME).acquireAsync();
            eventually(() -> first.server().keys().contains(NAME));
            ClusterNode second = cluster.masterBeside(first);
            cluster.migrate(Slots.of(NAME), second);
            given.cancel(false);
            first.proxy().heal(Direction.REPLIES);

            eventually(() -> assertThat(second.server().keys()).isEmpty());
            assertThat(warnings.text()).doesNotContain("is not released yet");
        }
    }

    /** The locks of a slot without a master wait until it has one, and those of other slots do not. */
    @Test
    void slot_hasNoMaster() {
        int slot = Slots.of(NAME);
        ClusterNode master = cluster.masterOf(slot);
        client.getLock(NAME).acquire().close();
        cluster.nodes().forEach(node -> node.server().command("CLUSTER", "DELSLOTS", Integer.toString(slot)));

        assertThatThrownBy(() -> client.getLock(NAME).tryLock(Duration.ofMillis(300)))
                .isInstanceOf(LockException.class);
        CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync();
        client.getLock(cluster.keyAt(cluster.masters().get(0))).acquire().close();
        assertThat(waiting).isNotDone();

        master.server().command("CLUSTER", "ADDSLOTS", Integer.toString(slot));
        get(waiting).close();
    }

    /**
     * With full coverage, all locks stand still while one master is down. Attempts that last longer than a busy reply
     * counts fail, and are not told that the lock is busy; all others go on when the master is back.
     */
    @Test
    void cluster_isDown() {
        Duration busyCounts = Duration.ofSeconds(1);
        cluster.nodes().forEach(node -> node.server().command("CONFIG", "SET", "cluster-require-full-coverage", "yes"));
        ClusterNode master = cluster.masterOf(NAME);
        ClusterNode other = cluster.masterBeside(master);
        Lease lease = client.getLock(NAME).acquire();
        CompletableFuture<Lease> waiting = waiting();
        try (Holdfast third = connect(builder -> builder.commandTimeout(busyCounts))) {
            assertThat(third.getLock(NAME).tryLock()).isFalse();

            other.server().kill();
            cluster.awaitFailed(other);
            eventually(() ->
                    String.valueOf(master.server().command("CLUSTER", "INFO")).contains("cluster_state:fail"));

            for (String name : List.of(NAME, "{" + NAME + "}:free")) {
                assertThatThrownBy(() -> third.getLock(name).tryLock(busyCounts.multipliedBy(2)))
                        .isInstanceOf(LockException.class)
                        .hasMessageContaining("CLUSTERDOWN");
            }
            assertThat(waiting).isNotDone();
            assertThat(lease.isValid()).isTrue();

            other.server().restart();
            cluster.awaitOk();
            lease.close();
            get(waiting).close();
            third.getLock(NAME).acquire().close();
        }
    }

    /** A master that has lost most of the others accepts no writes: its holds end with their leases, and are told so. */
    @Test
    void majority_isGone() {
        Duration shortLease = Duration.ofSeconds(3);
        try (Holdfast cutOff = connect(builder -> builder.watchdogTimeout(shortLease))) {
            ClusterNode master = cluster.masterOf(NAME);
            Lease lease = cutOff.getLock(NAME).acquire();
            List<ClusterNode> others =
                    cluster.masters().stream().filter(node -> node != master).toList();

            others.forEach(node -> node.server().pause());

            LossReason reason = get(lease.lost().toCompletableFuture()).reason();
            assertThat(reason).isIn(LossReason.REFUSED, LossReason.UNREACHABLE);
            assertThatThrownBy(() -> cutOff.getLock(NAME).tryLock(Duration.ofMillis(300)))
                    .isInstanceOf(LockException.class);
            others.forEach(node -> node.server().resume());
            get(cutOff.getLock(NAME).acquireAsync()).close();
        }
    }
}
