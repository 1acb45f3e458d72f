package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.RedisReplyException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A replica takes the place of its master, on request or because the master has failed. Each shard has two failovers at
 * most for which the masters vote: a replica that has just been elected cannot stand again for some node timeouts.
 */
@ParameterizedClass
@MethodSource("clusters")
@Tag("slow")
final class ClusterFailoverTest {
    /** A key in each shard. */
    private static final List<String> KEYS =
            Stream.of(0, Slots.COUNT / 2, Slots.COUNT - 1).map(Slots::keyIn).toList();

    private final RedisCluster cluster;

    ClusterFailoverTest(RedisCluster cluster) {
        this.cluster = cluster;
    }

    private ClusterNode replicaOf(ClusterNode master) {
        return cluster.replicasOf(master).get(0);
    }

    static Stream<RedisCluster> clusters() {
        return Topologies.clusters();
    }

    @AfterEach
    void allInSync() {
        cluster.awaitOk();
        cluster.masters().stream()
                .flatMap(each -> cluster.replicasOf(each).stream())
                .forEach(cluster::awaitInSync);
    }

    /** On request, the replica becomes master, with the data, and its master becomes its replica. */
    @ParameterizedTest
    @CsvSource({"AGREED, 0", "FORCE, 1", "TAKEOVER, 2"})
    void failover_requested(Failover kind, int shard) {
        String key = KEYS.get(shard);
        ClusterNode master = cluster.masterOf(key);
        ClusterNode replica = replicaOf(master);
        master.server().command("SET", key, kind.name());
        cluster.awaitInSync(replica);
        cluster.failover(replica, kind);
        assertThat(cluster.masterOf(key)).isEqualTo(replica);
        assertThat(replica.server().command("GET", key)).isEqualTo(kind.name());
        cluster.awaitReplicaOf(master, replica);
        assertThat(cluster.masters()).contains(replica).doesNotContain(master);
        assertThatThrownBy(() -> replica.requestFailover(kind)).isInstanceOf(RedisReplyException.class);
    }

    /** A killed master is replaced, and is a replica when it is back. */
    @Test
    void kill_restart() {
        String key = KEYS.get(0);
        ClusterNode master = cluster.masterOf(key);
        ClusterNode replica = replicaOf(master);
        master.server().command("SET", key, "kept");
        cluster.awaitInSync(replica);
        master.server().kill();
        cluster.awaitFailed(master);
        cluster.awaitMaster(replica);
        cluster.awaitOk();
        assertThat(cluster.masterOf(key)).isEqualTo(replica);
        master.server().restart();
        cluster.awaitReplicaOf(master, replica);
        cluster.awaitInSync(master);
        assertThat(master.server().keys()).contains(key);
    }

    /** A paused master is replaced, does not know it when it is resumed, and then learns it. */
    @Test
    void pause_resume() {
        String key = KEYS.get(1);
        ClusterNode master = cluster.masterOf(key);
        ClusterNode replica = replicaOf(master);
        master.server().pause();
        cluster.awaitMaster(replica);
        assertThat(cluster.masterOf(key)).isEqualTo(replica);
        master.server().resume();
        cluster.awaitReplicaOf(master, replica);
        assertThat(master.isReplica()).isTrue();
    }

    /** What a replica without its link has not got is lost by a failover; and the link is down until it is restored. */
    @Test
    void cutReplication_failover() {
        String key = KEYS.get(2);
        ClusterNode master = cluster.masterOf(key);
        ClusterNode replica = replicaOf(master);
        master.server().command("SET", key, "replicated");
        cluster.awaitInSync(replica);
        assertThatThrownBy(master::cutReplication).hasMessageContaining("must be a replica");
        replica.cutReplication();
        master.server().command("SET", key, "lost");
        assertThat(master.server().command("WAIT", "1", "100")).isEqualTo(0L);
        assertThat(replica.server().command("DBSIZE")).isEqualTo(1L);
        cluster.failover(replica, Failover.TAKEOVER);
        assertThat(replica.server().command("GET", key)).isEqualTo("replicated");
        cluster.awaitReplicaOf(master, replica);
        cluster.failover(master, Failover.TAKEOVER);
        cluster.awaitReplicaOf(replica, master);
        replica.server().restart();
        assertThat(replica.server().info("master_link_status")).isEqualTo("down");
        replica.restoreReplication();
        cluster.awaitInSync(replica);
        assertThatThrownBy(replica::restoreReplication).hasMessageContaining("must be cut");
    }
}
