package dev.holdfast.cli.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** What follows from all answers, in the order of the lines. */
final class DeploymentChecks {
    private final Deployment deployment;
    private final List<Finding> findings = new ArrayList<>();

    private DeploymentChecks(Deployment deployment) {
        this.deployment = deployment;
    }

    /** @param kinds of lock that the application uses */
    static List<Finding> of(Deployment deployment, Set<Use> kinds) {
        DeploymentChecks checks = new DeploymentChecks(deployment);
        checks.address();
        if (deployment.nodes().stream().anyMatch(Node::isSentinel)) {
            checks.forEach(node -> NodeChecks.role(node, deployment.shape()));
            return checks.findings;
        }
        checks.nodes();
        checks.rights(kinds);
        switch (deployment.shape()) {
            case ONE_SERVER -> checks.replicas();
            case SENTINEL -> checks.sentinels();
            case CLUSTER -> checks.cluster();
        }
        return Finding.merged(checks.findings);
    }

    private void address() {
        boolean isCluster = deployment.shape() == Shape.CLUSTER;
        if (isCluster && deployment.database() != 0) {
            findings.add(Finding.error(
                    Check.ADDRESS,
                    "database " + deployment.database() + ", and a cluster has none but 0",
                    "an address without it; keyPrefix separates applications"));
        }
        if (deployment.shape() == Shape.ONE_SERVER && deployment.namedServers() > 1) {
            findings.add(Finding.error(
                    Check.ADDRESS,
                    deployment.namedServers() + " servers, which are no nodes of a cluster",
                    "the address of one server, of nodes of a cluster, or of sentinels"));
        }
        deployment.lookups().forEach(lookup -> findings.add(NameChecks.of(lookup)));
    }

    private void nodes() {
        deployment.nodes().forEach(node -> findings.addAll(NodeChecks.of(node, deployment.shape())));
    }

    private void rights(Set<Use> kinds) {
        for (Node node : deployment.nodes()) {
            RightsChecks.of(node.rights(), kinds, deployment.shape(), node.isSharded())
                    .forEach(finding -> findings.add(finding.at(node.address())));
        }
    }

    private void replicas() {
        forMasters(master -> ReplicaChecks.replicas(master, deployment.shape()));
        forEach(node -> ReplicaChecks.minReplicas(node, deployment.replicasBeside(node)));
    }

    private void sentinels() {
        List<Unreached> silent =
                deployment.unreached().stream().filter(Unreached::isSentinel).toList();
        findings.addAll(SentinelChecks.of(deployment.sentinels(), silent));
        unreached();
        if (deployment.nodes().isEmpty()) {
            return;
        }
        findings.add(ClusterChecks.versions(deployment.nodes()));
        replicas();
    }

    private void cluster() {
        findings.add(ClusterChecks.slots(deployment.cluster()));
        unreached();
        findings.add(ClusterChecks.versions(deployment.nodes()));
        forEach(ClusterChecks::nodeTimeout);
        forEach(ClusterChecks::fullCoverage);
        replicas();
    }

    private void unreached() {
        List<Unreached> silent = deployment.unreached().stream()
                .filter(down -> !down.isSentinel())
                .toList();
        for (Unreached down : silent) {
            String set = deployment.shape() == Shape.CLUSTER
                    ? "an address that clients reach (cluster-announce-ip, -hostname), and the same user at all nodes"
                    : "an address that clients reach (replica-announce-ip), and the same user at all servers";
            Finding finding =
                    switch (down.part()) {
                        case MASTER ->
                            Finding.error(Check.NODES, "a master that does not answer: " + down.reason(), set);
                        case REPLICA ->
                            Finding.warning(Check.NODES, "a replica that does not answer: " + down.reason(), set);
                        case SEED, SENTINEL ->
                            Finding.warning(
                                    Check.NODES,
                                    "named by the address, and does not answer: " + down.reason(),
                                    "an address without it");
                    };
            findings.add(finding.at(down.address()));
        }
        if (silent.isEmpty() && !deployment.nodes().isEmpty()) {
            findings.add(Finding.ok(Check.NODES, "all " + deployment.nodes().size() + " answer"));
        }
    }

    private void forMasters(Function<Node, Finding> check) {
        deployment.nodes().stream()
                .filter(node -> !node.isReplica())
                .forEach(node -> findings.add(check.apply(node).at(node.address())));
    }

    private void forEach(Function<Node, Finding> check) {
        deployment.nodes().forEach(node -> findings.add(check.apply(node).at(node.address())));
    }
}
