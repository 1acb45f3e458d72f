package dev.holdfast.cli.check;

import java.util.List;
import java.util.Locale;

/** What the nodes of a cluster must have in common. */
final class ClusterChecks {
    private ClusterChecks() {}

    static Finding slots(Answer<ClusterTable> cluster) {
        return cluster.fold(
                table -> {
                    int missing = ClusterTable.SLOTS - table.served();
                    return missing == 0
                            ? Finding.ok(Check.SLOTS, "all " + ClusterTable.SLOTS + " have a master")
                            : Finding.error(
                                    Check.SLOTS,
                                    missing + " of " + ClusterTable.SLOTS + " have no master that answers",
                                    "CLUSTER ADDSLOTSRANGE for slots that no node has; else a look at the nodes that failed");
                },
                reason -> Finding.unknown(Check.SLOTS, "slots", reason));
    }

    static Finding nodeTimeout(Node node) {
        return node.numericSetting("cluster-node-timeout")
                .fold(
                        millis -> {
                            String figure = String.format(
                                    Locale.ROOT,
                                    "cluster-node-timeout %d: a failover takes %.1f s",
                                    millis,
                                    millis * 0.0016 + 0.8);
                            if (millis > 5_000) {
                                return Finding.warning(
                                        Check.NODE_TIMEOUT,
                                        figure + ", of the 20 s that a lease of 30 s leaves",
                                        "CONFIG SET cluster-node-timeout 5000");
                            }
                            return millis < 2_000
                                    ? Finding.note(
                                            Check.NODE_TIMEOUT,
                                            figure + "; a node that pauses for so long is replaced",
                                            "CONFIG SET cluster-node-timeout 2000")
                                    : Finding.ok(Check.NODE_TIMEOUT, figure);
                        },
                        reason -> Finding.unknown(Check.NODE_TIMEOUT, "cluster-node-timeout", reason));
    }

    static Finding fullCoverage(Node node) {
        return node.setting("cluster-require-full-coverage")
                .fold(
                        value -> value.equals("no")
                                ? Finding.ok(Check.FULL_COVERAGE, "cluster-require-full-coverage no")
                                : Finding.warning(
                                        Check.FULL_COVERAGE,
                                        "cluster-require-full-coverage " + value,
                                        "CONFIG SET cluster-require-full-coverage no"),
                        reason -> Finding.unknown(Check.FULL_COVERAGE, "cluster-require-full-coverage", reason));
    }

    /** Of a cluster, or of a master and its replicas. */
    static Finding versions(List<Node> nodes) {
        List<String> versions = nodes.stream()
                .map(node -> node.version().orElse("unknown"))
                .distinct()
                .sorted()
                .toList();
        if (versions.contains("unknown")) {
            return Finding.unknown(Check.VERSIONS, "versions", "a node does not say its own");
        }
        return versions.size() == 1
                ? Finding.ok(Check.VERSIONS, nodes.size() + " nodes, all of " + versions.get(0))
                : Finding.warning(Check.VERSIONS, String.join(" and ", versions), "an upgrade of the older nodes");
    }
}
