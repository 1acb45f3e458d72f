package dev.holdfast.campaign.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The faults of a cluster change the master of one lock, and leave the cluster whole. */
@Tag("slow")
final class ClusterServersTest {
    private static final String LOCK = "stock";

    @AutoClose
    private final RedisCluster cluster = RedisCluster.start();

    private final ClusterServers servers = new ClusterServers(cluster);
    private final ClusterNode master = cluster.masterOf(LOCK);
    private final ClusterNode replica = cluster.replicasOf(master).get(0);

    /** The replica takes the place of its master, which follows it. */
    @Test
    void replaced() {
        run(servers.replaced(LOCK));
        assertThat(cluster.masterOf(LOCK)).isSameAs(replica);
        assertThat(cluster.replicasOf(replica)).containsExactly(master);
    }

    /** The same without an agreement: the old master runs again. */
    @Test
    void killed() {
        Affliction kill = servers.killed(LOCK);
        kill.begin().run();
        assertThat(master.server().isRunning()).isFalse();
        kill.end().run();
        assertThat(cluster.masterOf(LOCK)).isSameAs(replica);
        kill.repair().run();
        assertThat(cluster.replicasOf(replica)).containsExactly(master);
    }

    /** The replica takes the place of its master without a vote. */
    @Test
    void takenOver() {
        run(servers.takenOver(LOCK));
        assertThat(cluster.masterOf(LOCK)).isSameAs(replica);
        assertThat(cluster.replicasOf(replica)).containsExactly(master);
    }

    /** A master that is stopped is replaced, and a replica when it has continued. */
    @Test
    void paused() {
        Affliction pause = servers.paused(LOCK);
        pause.begin().run();
        pause.end().run();
        assertThat(master.server().isPaused()).isTrue();
        assertThat(cluster.masterOf(LOCK)).isSameAs(replica);
        pause.repair().run();
        assertThat(cluster.replicasOf(replica)).containsExactly(master);
    }

    /** What is written while the replica is cut off is missing when the master was killed. */
    @Test
    void cutOff_thenKilled() {
        Affliction cut = servers.cutOff(LOCK);
        cut.begin().run();
        master.server().command("SET", LOCK, "lost");
        Affliction kill = servers.killed(LOCK);
        kill.begin().run();
        cut.end().run();
        kill.end().run();
        kill.repair().run();
        assertThat(cluster.masterOf(LOCK)).isSameAs(replica);
        assertThat(replica.server().keys()).isEmpty();
    }

    /** The slot has another master, and its former one is a master still. */
    @Test
    void moved() {
        run(servers.moved(LOCK));
        assertThat(cluster.masterOf(LOCK)).isNotIn(master, replica);
        assertThat(cluster.masters()).hasSize(3).contains(master);
    }

    /** Locks are lost together if their slots are of one master. */
    @Test
    void areTogether() {
        assertThat(servers.areTogether(LOCK, "{" + LOCK + "}:other")).isTrue();
        assertThat(servers.areTogether(LOCK, cluster.keyAt(cluster.masterBeside(master))))
                .isFalse();
    }

    /** A node that was killed or stopped when a round is given up runs again. */
    @Test
    void heal() {
        servers.killed(LOCK).begin().run();
        replica.server().pause();
        servers.heal();
        assertThat(master.server().isRunning()).isTrue();
        assertThat(replica.server().isPaused()).isFalse();
    }

    private static void run(Affliction affliction) {
        affliction.begin().run();
        affliction.end().run();
        affliction.repair().run();
    }
}
