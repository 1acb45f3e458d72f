package dev.holdfast.campaign.nemesis;

import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.Slots;

/**
 * A cluster, in which each master has one replica.
 *
 * @param cluster that the clients use without proxies
 */
public record ClusterServers(RedisCluster cluster) implements Masters {
    @Override
    public void heal() {
        for (ClusterNode node : cluster.nodes()) {
            if (!node.server().isRunning()) {
                node.server().restart();
            } else if (node.server().isPaused()) {
                node.server().resume();
            }
        }
    }

    @Override
    public boolean areTogether(String lock, String other) {
        return cluster.masterOf(lock) == cluster.masterOf(other);
    }

    /** The master of this lock agrees to be replaced by its replica, which has all its data. */
    @Override
    public Affliction replaced(String lock) {
        return new Affliction(
                () -> cluster.failover(replica(cluster.masterOf(lock)), Failover.AGREED), () -> {}, this::awaitSync);
    }

    /** The replica of this lock's master takes its place, and asks nobody. */
    Affliction takenOver(String lock) {
        ClusterNode replica = replica(cluster.masterOf(lock));
        return new Affliction(
                () -> replica.requestFailover(Failover.TAKEOVER), () -> cluster.awaitMaster(replica), this::awaitSync);
    }

    @Override
    public Affliction killed(String lock) {
        ClusterNode master = cluster.masterOf(lock);
        ClusterNode replica = replica(master);
        return new Affliction(() -> master.server().kill(), () -> cluster.awaitMaster(replica), () -> {
            master.server().restart();
            awaitReplica(master, replica);
        });
    }

    @Override
    public Affliction paused(String lock) {
        ClusterNode master = cluster.masterOf(lock);
        ClusterNode replica = replica(master);
        return new Affliction(() -> master.server().pause(), () -> cluster.awaitMaster(replica), () -> {
            Masters.stayStopped();
            master.server().resume();
            awaitReplica(master, replica);
        });
    }

    @Override
    public Affliction cutOff(String lock) {
        ClusterNode replica = replica(cluster.masterOf(lock));
        return new Affliction(replica::cutReplication, replica::restoreReplication);
    }

    /** The slot of this lock is moved to another master. */
    Affliction moved(String lock) {
        ClusterNode master = cluster.masterOf(lock);
        ClusterNode target = cluster.masterBeside(master);
        return new Affliction(() -> cluster.migrate(Slots.of(lock), target), () -> {});
    }

    private ClusterNode replica(ClusterNode master) {
        return cluster.replicasOf(master).get(0);
    }

    private void awaitReplica(ClusterNode former, ClusterNode master) {
        cluster.awaitReplicaOf(former, master);
        awaitSync();
    }

    private void awaitSync() {
        cluster.awaitOk();
        cluster.masters().forEach(master -> cluster.awaitInSync(replica(master)));
    }
}
