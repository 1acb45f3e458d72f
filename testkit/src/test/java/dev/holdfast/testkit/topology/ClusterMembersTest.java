package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes join a cluster and leave it. */
@ParameterizedClass
@MethodSource("clusters")
@Tag("slow")
final class ClusterMembersTest {
    private final RedisCluster cluster;

    ClusterMembersTest(RedisCluster cluster) {
        this.cluster = cluster;
    }

    static Stream<RedisCluster> clusters() {
        return Topologies.clusters(builder -> builder.replicasPerMaster(0));
    }

    /** A new replica has its master's data, can take its place, and the old master can then leave. */
    @Test
    void addReplica_replacesMaster() {
        ClusterNode old = cluster.masterOf("key");
        old.server().command("SET", "key", "value");
        ClusterNode added = cluster.addReplica(old);
        assertThat(cluster.replicasOf(old)).containsExactly(added);
        assertThat(added.server().command("DBSIZE")).isEqualTo(1L);
        assertThatThrownBy(() -> cluster.remove(old)).hasMessageContaining("neither slots nor replicas");
        cluster.failover(added, Failover.AGREED);
        cluster.awaitReplicaOf(old, added);
        cluster.remove(old);
        assertThat(old.server().isRunning()).isFalse();
        cluster.awaitOk();
        assertThat(cluster.masterOf("key").server().command("GET", "key")).isEqualTo("value");
        for (ClusterNode node : cluster.nodes()) {
            assertThat(node.view().members()).hasSize(3).noneMatch(member -> member.id()
                    .equals(old.id()));
        }
    }

    /** A new master has no slot until one is moved to it. */
    @Test
    void addMaster_getsSlot() {
        int slot = Slots.of("other");
        ClusterNode former = cluster.masterOf(slot);
        ClusterNode added = cluster.addMaster();
        assertThat(cluster.masters()).doesNotContain(added);
        assertThatThrownBy(() -> cluster.keyAt(added)).hasMessageContaining("must own a slot");
        cluster.migrate(slot, added);
        assertThat(cluster.masters()).contains(added);
        assertThat(cluster.masterOf("other")).isEqualTo(added);
        assertThat(Slots.of(cluster.keyAt(added))).isEqualTo(slot);
        cluster.migrate(slot, former);
        cluster.remove(added);
        cluster.awaitOk();
        assertThat(cluster.nodes()).hasSize(3);
    }
}
