package dev.holdfast.cli.check;

import java.util.List;

/**
 * All that was answered.
 *
 * @param nodes those that answered, the first one that of the address, or the master of the sentinels
 * @param unreached those that are a part of it and did not answer
 * @param sentinels empty unless it has any
 * @param cluster what the cluster says of itself, if it is one
 * @param lookups of the names in the address
 * @param database of the address
 * @param namedServers how many the address names
 */
record Deployment(
        Shape shape,
        List<Node> nodes,
        List<Unreached> unreached,
        List<SentinelView> sentinels,
        Answer<ClusterTable> cluster,
        List<Lookup> lookups,
        int database,
        int namedServers) {
    Deployment {
        nodes = List.copyOf(nodes);
        unreached = List.copyOf(unreached);
        sentinels = List.copyOf(sentinels);
        lookups = List.copyOf(lookups);
    }

    /**
     * {@return the replicas of a node; of one that is a replica, those of its master} It is the number that a failover leaves
     * one fewer of.
     */
    Answer<List<Replica>> replicasBeside(Node node) {
        if (!node.isReplica()) {
            return node.info().map(Replica::in);
        }
        String master = node.field("master_host").orElse("") + ":"
                + node.field("master_port").orElse("");
        return nodes.stream()
                .filter(other -> other.address().equals(master))
                .findFirst()
                .map(found -> found.info().map(Replica::in))
                .orElse(Answer.unknown("its master " + master + " was not reached by that address"));
    }
}
