package dev.holdfast.internal.topology;

import dev.holdfast.internal.kind.HashSlot;
import dev.holdfast.internal.redis.NodeAddress;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which node of a cluster is the master of which slot, as far as its nodes have said.
 *
 * <p>A MOVED is believed at once, for its slot, if it comes from the node that was thought to have it. A table is believed
 * as a whole; but for {@link #MOVED_PRECEDENCE} it does not move a slot that was moved by MOVED, since the node that has sent the table
 * may not have the message of that yet.
 *
 * @see "ClusterTest, ClusterConnectTest"
 */
final class SlotMasters {
    private static final Duration MOVED_PRECEDENCE = Duration.ofSeconds(1);

    /**
     * What has changed.
     *
     * @param slots that have other masters by now
     * @param left the nodes that had them
     */
    record Change(BitSet slots, Set<MasterNode> left) {}

    private final Function<NodeAddress, MasterNode> nodes;
    private final LongSupplier clock;
    private final AtomicReferenceArray<@Nullable MasterNode> bySlot = new AtomicReferenceArray<>(HashSlot.COUNT);

    /** All nodes that the last table names. */
    private volatile Set<NodeAddress> known;

    // All below is guarded by this.

    /** The slots that have moved and have not been published to the locks yet, and the nodes that had them. */
    private Change change = new Change(new BitSet(), new HashSet<>());

    /** Whether a caller has claimed the publication of that change. */
    private boolean claimed;

    /** The ids of all nodes that the last table names. */
    private Set<String> ids = Set.of();

    /** When a slot was last moved by MOVED, for {@link #MOVED_PRECEDENCE}. */
    private final Map<Integer, Long> movedNanos = new HashMap<>();

    /**
     * Knows no masters.
     *
     * @param nodes the node at an address; called under the monitor of this object
     * @param seed the one node that is known
     */
    SlotMasters(Function<NodeAddress, MasterNode> nodes, LongSupplier clock, NodeAddress seed) {
        this.nodes = nodes;
        this.clock = clock;
        this.known = Set.of(seed);
    }

    /** {@return the master of this slot; null if none is known} */
    @Nullable
    MasterNode of(int slot) {
        return bySlot.get(slot);
    }

    boolean isMaster(MasterNode node) {
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            if (bySlot.get(slot) == node) {
                return true;
            }
        }
        return false;
    }

    /** {@return the masters of all slots} */
    Set<MasterNode> all() {
        Set<MasterNode> masters = new HashSet<>();
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            MasterNode node = bySlot.get(slot);
            if (node != null) {
                masters.add(node);
            }
        }
        return masters;
    }

    /** {@return all nodes of the cluster, replicas included, that the last table names} */
    Set<NodeAddress> known() {
        return known;
    }

    /** A node has said that this slot is at another one. {@return whether that is believed} */
    boolean moved(int slot, MasterNode by, NodeAddress to) {
        if (slot >= HashSlot.COUNT || bySlot.get(slot) != by) {
            return false;
        }
        synchronized (this) {
            movedNanos.put(slot, clock.getAsLong());
            set(slot, nodes.apply(to));
        }
        return true;
    }

    /** {@return whether this table was believed: not if it is that of another cluster} */
    synchronized boolean apply(SlotTable table) {
        if (!isOfThisCluster(table)) {
            return false;
        }
        long now = clock.getAsLong();
        movedNanos.values().removeIf(moved -> now - moved > MOVED_PRECEDENCE.toNanos());
        MasterNode node = null;
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            NodeAddress master = table.master(slot);
            if (master != null && (movedNanos.isEmpty() || !movedNanos.containsKey(slot))) {
                if (node == null || !node.address().equals(master)) {
                    node = nodes.apply(master);
                }
                set(slot, node);
            }
        }
        if (!table.nodes().isEmpty()) {
            known = Set.copyOf(table.nodes());
            ids = Set.copyOf(table.ids());
        }
        return true;
    }

    /**
     * {@return the nodes that this table names as the masters of all slots that they have here} None confirms itself: the
     * node that has sent the table is not among them.
     */
    Set<MasterNode> named(SlotTable table) {
        Set<MasterNode> named = new HashSet<>();
        Set<MasterNode> others = new HashSet<>();
        MasterNode before = null;
        NodeAddress masterBefore = null;
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            MasterNode node = bySlot.get(slot);
            NodeAddress master = table.master(slot);
            boolean isSameRange = node == before && Objects.equals(master, masterBefore);
            if (node != null && !isSameRange) {
                boolean confirmed =
                        node.address().equals(master) && !node.address().equals(table.by());
                (confirmed ? named : others).add(node);
            }
            before = node;
            masterBefore = master;
        }
        named.removeAll(others);
        return named;
    }

    /** {@return whether a table names a node that the one before named, too} Nodes keep their ids. */
    synchronized boolean isOfThisCluster(SlotTable table) {
        return ids.isEmpty() || table.ids().isEmpty() || !Collections.disjoint(ids, table.ids());
    }

    /** Under the monitor. */
    private void set(int slot, MasterNode node) {
        MasterNode before = bySlot.getAndSet(slot, node);
        if (before != node) {
            change.slots().set(slot);
            if (before != null) {
                change.left().add(before);
            }
        }
    }

    /** {@return whether the caller is to publish a change to the locks: it has to {@link #takeChange} for that} */
    synchronized boolean claimPublication() {
        boolean unclaimed = !claimed && !change.slots().isEmpty();
        claimed |= unclaimed;
        return unclaimed;
    }

    /** {@return what has changed since the last call} */
    synchronized Change takeChange() {
        Change taken = change;
        change = new Change(new BitSet(), new HashSet<>());
        claimed = false;
        return taken;
    }

    /** {@return the result of the action, which runs if the node has no slots; it gets none while that runs} */
    synchronized boolean unlessMaster(MasterNode node, BooleanSupplier action) {
        return !isMaster(node) && action.getAsBoolean();
    }
}
