package dev.holdfast.internal.topology;

import dev.holdfast.internal.redis.NodeAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The nodes of a cluster that are masters of some slots, or were within {@link #KEPT_WITHOUT_SLOTS}.
 *
 * <pre>
 *             its last slot moves to another node              no slots for {@link #KEPT_WITHOUT_SLOTS}, and no calls in
 *           --------------------------------------->            flight and no subscriptions left there
 *   MASTER                                           SLOTLESS ------------------------------------------> closed
 *           <---------------------------------------
 *                       it gets slots again
 * </pre>
 *
 * <p>A master that was used once stays connected as long as it has slots, even if it is not used any more.
 */
final class ClusterNodes {
    /** How long a node without slots stays connected. */
    static final Duration KEPT_WITHOUT_SLOTS = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final ConcurrentMap<NodeAddress, MasterNode> byAddress = new ConcurrentHashMap<>();

    ClusterNodes(Cluster cluster) {
        this.cluster = cluster;
    }

    /** {@return the node at this address, which is not connected if it is new} */
    MasterNode at(NodeAddress address) {
        return byAddress.computeIfAbsent(address, at -> new MasterNode(at, cluster));
    }

    Collection<MasterNode> all() {
        return byAddress.values();
    }

    /**
     * Closes the nodes that have had no slots for a while, and nothing left to do.
     *
     * @return whether there are others without slots, which have to wait
     */
    boolean dismiss(SlotMasters slots) {
        Set<MasterNode> masters = slots.all();
        boolean later = false;
        for (MasterNode node : all()) {
            if (masters.contains(node)) {
                node.hasSlots();
            } else if (isDue(node)
                    && !node.isNeeded()
                    && slots.unlessMaster(node, () -> byAddress.remove(node.address(), node))) {
                node.close();
            } else {
                later = true;
            }
        }
        return later;
    }

    private boolean isDue(MasterNode node) {
        return node.slotlessNanos(cluster.session().now()) >= KEPT_WITHOUT_SLOTS.toNanos();
    }
}
