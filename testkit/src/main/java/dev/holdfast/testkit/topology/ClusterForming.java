package dev.holdfast.testkit.topology;

import java.util.ArrayList;
import java.util.List;
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
     * Introduces a new node to each of the others, since by gossip alone they would take seconds to know it. When this
     * returns, all nodes are connected.
     */
    static void introduce(ClusterNode node, List<ClusterNode> others) {
        for (ClusterNode other : others) {
            node.server()
                    .command(
                            "CLUSTER",
                            "MEET",
                            other.server().host(),
                            Integer.toString(other.server().port()),
                            Integer.toString(other.busPort()));
        }
    }

    static void awaitAcquainted(List<ClusterNode> nodes) {
        Waiting.until("the nodes know each other", () -> {
            List<String> lacking = new ArrayList<>();
            for (ClusterNode node : nodes) {
                ClusterView view = node.view();
                for (ClusterNode other : nodes) {
                    boolean known = view.member(other.id())
                            .filter(member -> member.connected() && !member.isJoining())
                            .isPresent();
                    if (!known) {
                        lacking.add(node + " is not connected to " + other);
                    }
                }
            }
            return lacking;
        });
    }

    static void follow(ClusterNode replica, ClusterNode master) {
        replica.server().command("CLUSTER", "REPLICATE", master.id());
    }
}
