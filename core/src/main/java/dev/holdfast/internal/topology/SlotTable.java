package dev.holdfast.internal.topology;

import dev.holdfast.internal.kind.HashSlot;
import dev.holdfast.internal.redis.NodeAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which node of a cluster is the master of which slots, as one of its nodes has said. */
final class SlotTable {
    private static final Pattern ID = Pattern.compile("\\b[0-9a-f]{40}\\b");

    private final @Nullable NodeAddress[] masters = new @Nullable NodeAddress[HashSlot.COUNT];
    private final Set<NodeAddress> nodes = new LinkedHashSet<>();
    private final Set<String> ids = new HashSet<>();
    private final NodeAddress by;

    private SlotTable(NodeAddress by) {
        this.by = by;
    }

    /**
     * {@return the table in the reply to CLUSTER SLOTS}
     *
     * @param reply flattened: for each range its first and last slot; then for each node, the master first, its host, its
     *     port, its id, and from Redis 7.0 on pairs of texts
     * @param by the node that replied, as its address is known here
     * @throws IllegalArgumentException if the reply is of another form
     */
    static SlotTable read(List<Object> reply, NodeAddress by) {
        SlotTable table = new SlotTable(by);
        int at = 0;
        while (at < reply.size()) {
            int first = slot(reply, at);
            int last = slot(reply, at + 1);
            at += 2;
            List<NodeAddress> shard = new ArrayList<>();
            while (at < reply.size() && reply.get(at) instanceof String host) {
                if (at + 2 < reply.size()
                        && reply.get(at + 1) instanceof Long port
                        && reply.get(at + 2) instanceof String id) {
                    boolean unnamed = host.isEmpty() || host.equals("?");
                    shard.add(new NodeAddress(unnamed ? by.host() : host, port.intValue()));
                    table.ids.add(id);
                    at += 3;
                } else {
                    at++; // further texts about the node
                }
            }
            for (int slot = first; slot <= last && !shard.isEmpty(); slot++) {
                table.masters[slot] = shard.get(0);
            }
            table.nodes.addAll(shard);
        }
        return table;
    }

    private static int slot(List<Object> reply, int at) {
        if (at < reply.size() && reply.get(at) instanceof Long slot && slot >= 0 && slot < HashSlot.COUNT) {
            return slot.intValue();
        }
        throw new IllegalArgumentException("no reply to CLUSTER SLOTS: " + reply);
    }

    /** {@return the master of this slot; null if the cluster has none for it} */
    @Nullable
    NodeAddress master(int slot) {
        return masters[slot];
    }

    boolean isEmpty() {
        return Arrays.stream(masters).allMatch(Objects::isNull);
    }

    /** {@return all masters} */
    List<NodeAddress> masters() {
        return Stream.of(masters).filter(Objects::nonNull).distinct().toList();
    }

    /** {@return whether both are tables of the same cluster: there is a node that both name, wherever it is} */
    boolean isOfSameClusterAs(SlotTable other) {
        return !Collections.disjoint(ids, other.ids);
    }

    /**
     * {@return this table, with the ids of further nodes}
     *
     * @param nodes the reply of the same node to CLUSTER NODES
     */
    SlotTable naming(List<Object> nodes) {
        nodes.forEach(text -> ID.matcher(text.toString()).results().forEach(id -> ids.add(id.group())));
        return this;
    }

    /** {@return the ids of all nodes, which they keep when their addresses change} */
    Set<String> ids() {
        return ids;
    }

    /** {@return the node that has said it} */
    NodeAddress by() {
        return by;
    }

    /** {@return all nodes, replicas included} */
    Set<NodeAddress> nodes() {
        return nodes;
    }
}
