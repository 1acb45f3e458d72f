package dev.holdfast.internal.topology;

import dev.holdfast.internal.redis.NodeAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The nodes of a cluster that are masters of some slots, or were lately.
 *
 * <pre>
 *            its last slot has moved to another node
 *          +-----------------------------------------> SLOTLESS --------+
 *          | <-----------------------------------------   |             |
 *          |              it gets slots again             |             | without slots for {@link #FAREWELL},
 *   MASTER |                                              |             | and nothing left to be done there
 *          |                                              |             +--------------------------------> closed
 *          | idle: an unconnected object for the same     |             |
 *          +---- address is the MASTER from now on --> REPLACED --------+
 * </pre>
 *
 * <p>A master is idle when no call was answered there for {@link #IDLE}, and none is in flight; when nobody listens there;
 * and when the client neither holds a lock of it nor waits for one. A hold with a long lease sends nothing and has to be
 * verified when its connection ends, so it keeps its node connected. So does the client the last of its masters that is
 * connected, whatever is used: the end of that connection is how it learns that the cluster changes, and that Redis is
 * down. If that one loses its slots, another one is connected in its place.
 *
 * <p>All that is checked before the replacement, so a command may be on its way to the former object. While that is
 * connected, which is for longer than any thread takes from the one to the other, the command is executed, and its reply
 * counts, since the node is the same; after that, it is not sent, and its sender sends it to the new home. What was left
 * there without an answer cannot be executed late: the first connection of the new object kills the former one.
 */
final class ClusterNodes {
    /** How long a node without slots stays connected. */
    static final Duration FAREWELL = Duration.ofSeconds(10);

    /** How long a master stays connected that is not used. */
    static final Duration IDLE = Duration.ofMinutes(5);

    private final Cluster cluster;
    private final ConcurrentMap<NodeAddress, MasterNode> byAddress = new ConcurrentHashMap<>();

    /** Those that are not closed yet; each was added before it was replaced in the map. */
    private final Set<MasterNode> replaced = ConcurrentHashMap.newKeySet();

    ClusterNodes(Cluster cluster) {
        this.cluster = cluster;
    }

    /** {@return the node at this address, which is not connected if it is new} */
    MasterNode at(NodeAddress address) {
        return byAddress.computeIfAbsent(address, at -> new MasterNode(at, cluster));
    }

    Collection<MasterNode> all() {
        Collection<MasterNode> present = byAddress.values();
        return replaced.isEmpty()
                ? present
                : Stream.concat(present.stream(), replaced.stream()).toList();
    }

    /**
     * {@return the masters that are idle, all but one if no other is connected}
     *
     * @param isInUse whether the client uses a lock of a node
     */
    List<MasterNode> idle(SlotMasters slots, Predicate<MasterNode> isInUse) {
        List<MasterNode> idle = byAddress.values().stream()
                .filter(node -> node.isIdleFor(IDLE) && !isInUse.test(node) && slots.isMaster(node))
                .toList();
        boolean isAnotherConnected = idle.isEmpty()
                || byAddress.values().stream()
                        .anyMatch(node -> node.isConnected() && !idle.contains(node) && slots.isMaster(node));
        return isAnotherConnected ? idle : idle.subList(1, idle.size());
    }

    /** Replaces a master by an object that is not connected, unless its slots have moved. */
    void replace(MasterNode node, SlotMasters slots) {
        boolean isReplaced = slots.replace(node, () -> {
            MasterNode next = node.successor();
            replaced.add(node);
            byAddress.put(node.address(), next);
            return next;
        });
        if (isReplaced) {
            node.homeAsIs().endEvents();
        }
    }

    /** Does what {@link #dismiss} does, if any object was replaced: nothing else may cause it. */
    void dismissReplaced(SlotMasters slots) {
        if (!replaced.isEmpty()) {
            dismiss(slots);
        }
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
            } else if (isDue(node) && !node.isNeeded() && slots.unlessMaster(node, () -> remove(node))) {
                node.close();
            } else {
                later = true;
            }
        }
        return later;
    }

    private boolean remove(MasterNode node) {
        return byAddress.remove(node.address(), node) || replaced.remove(node);
    }

    private boolean isDue(MasterNode node) {
        return node.slotlessNanos(cluster.session().now()) >= FAREWELL.toNanos();
    }
}
