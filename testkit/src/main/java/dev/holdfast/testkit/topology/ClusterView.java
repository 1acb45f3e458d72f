package dev.holdfast.testkit.topology;

import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cluster as one of its nodes sees it, which may differ from what the others see.
 *
 * @param members all nodes that it knows, itself included
 */
public record ClusterView(List<ClusterMember> members) {
    static ClusterView parse(String nodes) {
        return new ClusterView(nodes.lines().map(ClusterMember::parse).toList());
    }

    /** What is known of a member with the highest config epoch; its own knowledge prevails among equals. */
    static Optional<ClusterMember> latest(List<ClusterView> views, String id) {
        return views.stream()
                .flatMap(view -> view.member(id).stream())
                .max(Comparator.comparingLong(ClusterMember::configEpoch)
                        .thenComparing(member -> member.flags().contains("myself")));
    }

    /** The owner of a slot with the highest config epoch: a master that was replaced may still name itself. */
    static Optional<ClusterMember> latestOwner(List<ClusterView> views, int slot) {
        return views.stream()
                .flatMap(view -> view.owner(slot).stream())
                .max(Comparator.comparingLong(ClusterMember::configEpoch));
    }

    /** {@return the member with this id, if it is known} */
    public Optional<ClusterMember> member(String id) {
        return members.stream().filter(member -> member.id().equals(id)).findFirst();
    }

    /** {@return the observing node itself} */
    public ClusterMember self() {
        return members.stream()
                .filter(member -> member.flags().contains("myself"))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no node is marked as the observer in " + members));
    }

    /** {@return the member that owns the slot, if one does} */
    public Optional<ClusterMember> owner(int slot) {
        return members.stream()
                .filter(member -> member.isMaster() && member.owns(slot))
                .findFirst();
    }

    /** The master of each slot and of each replica, by ids: the same for all nodes once they agree. */
    SortedMap<String, String> layout() {
        SortedMap<String, String> layout = new TreeMap<>();
        for (ClusterMember member : members) {
            layout.put(member.id(), member.isMaster() ? "master of " + member.slots() : "follows " + member.master());
        }
        return layout;
    }
}
