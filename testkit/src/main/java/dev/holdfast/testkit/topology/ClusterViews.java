package dev.holdfast.testkit.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The cluster as the nodes see it that reply, which are those that are neither down nor paused. */
final class ClusterViews {
    private final List<ClusterNode> nodes;

    /** Follows the changes of {@code nodes}. */
    ClusterViews(List<ClusterNode> nodes) {
        this.nodes = nodes;
    }

    List<ClusterNode> answering() {
        return nodes.stream().filter(ClusterNode::isAnswering).toList();
    }

    private List<ClusterView> all() {
        return answering().stream().map(ClusterNode::view).toList();
    }

    /** {@return the latest knowledge of a node} */
    Optional<ClusterMember> latest(ClusterNode node) {
        return ClusterView.latest(all(), node.id());
    }

    /** {@return the latest owner of a slot} */
    Optional<ClusterMember> owner(int slot) {
        return ClusterView.latestOwner(all(), slot);
    }

    /** Waits until all views satisfy the condition. */
    void await(String state, Predicate<ClusterView> condition) {
        Waiting.until(state, () -> answering().stream()
                .filter(node -> !condition.test(node.view()))
                .map(node -> node + " sees " + node.view().members())
                .toList());
    }

    /** Waits until all nodes find the cluster ok, and their views have the same layout. */
    void awaitAgreement() {
        Waiting.until("the cluster is ok", () -> {
            List<String> lacking = new ArrayList<>();
            List<ClusterNode> answering = answering();
            Map<String, String> layout = answering.get(0).view().layout();
            for (ClusterNode node : answering) {
                if (!node.isClusterOk()) {
                    lacking.add(node + " does not find the cluster ok");
                }
                Map<String, String> seen = node.view().layout();
                if (!seen.equals(layout)) {
                    lacking.add(node + " sees " + seen + ", another node sees " + layout);
                }
            }
            return lacking;
        });
    }
}
