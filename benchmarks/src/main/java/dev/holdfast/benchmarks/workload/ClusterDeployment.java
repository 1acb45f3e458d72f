package dev.holdfast.benchmarks.workload;

import static dev.holdfast.testkit.topology.Failover.AGREED;

import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** A cluster of 3 masters with a replica each. */
record ClusterDeployment(RedisCluster cluster) implements Deployment {
    static final Duration NODE_TIMEOUT = Duration.ofSeconds(1);
    static final String DESCRIPTION = "a cluster of 3 masters with a replica each";

    static ClusterDeployment start() {
        return new ClusterDeployment(
                RedisCluster.builder().nodeTimeout(NODE_TIMEOUT).start());
    }

    /** Starts one in which the failure of a master does not concern the slots of the others. */
    static ClusterDeployment startPartlyCovered() {
        return new ClusterDeployment(RedisCluster.builder()
                .nodeTimeout(NODE_TIMEOUT)
                .config("cluster-require-full-coverage", "no")
                .start());
    }

    /** {@return whether these locks are on one master} */
    boolean areTogether(String lock, String other) {
        return cluster.masterOf(lock) == cluster.masterOf(other);
    }

    @Override
    public String uri() {
        return servers().stream()
                .map(server -> server.host() + ":" + server.port())
                .collect(Collectors.joining(",", "redis://", ""));
    }

    @Override
    public List<RedisServer> servers() {
        return cluster.nodes().stream().map(ClusterNode::server).toList();
    }

    @Override
    public void failOver(String lock, Failover.Cause cause) {
        ClusterNode master = cluster.masterOf(lock);
        switch (cause) {
            case KILL -> master.server().kill();
            case REQUEST -> replicaOf(master).requestFailover(AGREED);
        }
    }

    /** Stops every replica, until {@link #resumeReplicas}. */
    void pauseReplicas() {
        replicas().forEach(replica -> replica.server().pause());
    }

    void resumeReplicas() {
        replicas().forEach(replica -> replica.server().resume());
    }

    private List<ClusterNode> replicas() {
        return cluster.masters().stream().map(this::replicaOf).toList();
    }

    private ClusterNode replicaOf(ClusterNode master) {
        return cluster.replicasOf(master).get(0);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
