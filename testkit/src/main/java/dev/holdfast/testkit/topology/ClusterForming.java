package dev.holdfast.testkit.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes nodes members of a cluster. */
final class ClusterForming {
    private ClusterForming() {}

    /** Divides all slots among nodes that do not know each other yet, and gives each a config epoch of its own. */
    static void divideSlots(List<ClusterNode> masters) {
        for (int i = 0; i < masters.size(); i++) {
            SlotRange share = SlotRange.share(i, masters.size());
            ClusterNode master = masters.get(i);
            master.server().command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            Stream<String> command = Stream.concat(
                    Stream.of("CLUSTER", "ADDSLOTS"),
                    IntStream.rangeClosed(share.first(), share.last()).mapToObj(Integer::toString));
            master.server().command(command.toArray(String[]::new));
        }
    }

    /**
     * Makes all nodes know each other, and returns when they are connected. By gossip alone it would take seconds.
     *
     * <p>Each introduces itself to those after it. It forgets an introduction that has not led to a handshake within
     * the node timeout, for which it is enough that its process is stopped for so long; then it is made again. Not
     * before: a second handshake with a node would interrupt the connection to it.
     *
     * <p>A node has another one's config epoch some time after the connection, and cannot claim a slot before.
     */
    static void acquaint(List<ClusterNode> nodes) {
        Waiting.until("the nodes know each other", () -> {
            List<String> lacking = new ArrayList<>();
            for (ClusterNode node : nodes) {
                ClusterView view = node.view();
                boolean isJoining = view.members().stream().anyMatch(ClusterMember::isJoining);
                for (ClusterNode other : nodes) {
                    Optional<ClusterMember> known = view.member(other.id());
                    if (known.isEmpty() && !isJoining && nodes.indexOf(node) < nodes.indexOf(other)) {
                        introduce(node, other);
                    }
                    if (known.filter(member -> isUpToDate(member, other)).isEmpty()) {
                        lacking.add(node + " does not know " + other + " yet");
                    }
                }
            }
            return lacking;
        });
    }

    private static boolean isUpToDate(ClusterMember member, ClusterNode node) {
        return member.connected()
                && !member.isJoining()
                && node.view()
                        .member(node.id())
                        .filter(own -> own.configEpoch() == member.configEpoch())
                        .isPresent();
    }

    private static void introduce(ClusterNode node, ClusterNode other) {
        String host = other.server().host();
        String port = Integer.toString(other.server().port());
        node.server().command("CLUSTER", "MEET", host, port, Integer.toString(other.busPort()));
    }

    static void follow(ClusterNode replica, ClusterNode master) {
        replica.server().command("CLUSTER", "REPLICATE", master.id());
    }
}
