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
            }
        }
    }

    /** The master of this lock agrees to be replaced by its replica, which has all its data. */
    @Override
    public Affliction replaced(String lock) {
        return new Affliction(
                () -> cluster.failover(replica(cluster.masterOf(lock)), Failover.AGREED), this::awaitSync);
    }

    @Override
    public Affliction killed(String lock) {
        ClusterNode master = cluster.masterOf(lock);
        ClusterNode replica = replica(master);
        return new Affliction(() -> master.server().kill(), () -> {
            cluster.awaitMaster(replica);
            master.server().restart();
            cluster.awaitReplicaOf(master, replica);
            awaitSync();
        });
    }

    /** The slot of this lock is moved to another master. */
    Affliction moved(String lock) {
        ClusterNode master = cluster.masterOf(lock);
        ClusterNode target = cluster.masters().stream()
                .filter(node -> node != master)
                .findFirst()
                .orElseThrow();
        return new Affliction(() -> cluster.migrate(Slots.of(lock), target), () -> {});
    }

    private ClusterNode replica(ClusterNode master) {
        return cluster.replicasOf(master).get(0);
    }

    private void awaitSync() {
        cluster.awaitOk();
        cluster.masters().forEach(master -> cluster.awaitInSync(replica(master)));
    }
}
