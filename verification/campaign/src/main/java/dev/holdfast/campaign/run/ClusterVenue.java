package dev.holdfast.campaign.run;

import dev.holdfast.campaign.nemesis.ClusterServers;
import dev.holdfast.campaign.nemesis.Servers;
import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A cluster of three masters with a replica each, to which the clients are connected directly. */
final class ClusterVenue implements Venue {
    /**
     * A connection to a replica or to a master, or one by which a master received keys of a slot and which the other one
     * keeps for ten seconds, in CLIENT LIST.
     */
    private static final Pattern THEIR_OWN = Pattern.compile(" flags=[SM] | cmd=restore-asking ");

    private final RedisCluster cluster;

    private ClusterVenue(RedisCluster cluster) {
        this.cluster = cluster;
    }

    static ClusterVenue open() {
        return new ClusterVenue(RedisCluster.start());
    }

    @Override
    public Servers servers() {
        return new ClusterServers(cluster);
    }

    @Override
    public List<FaultProxy> links() {
        return List.of();
    }

    @Override
    public String uri(ClientPlan client) {
        return cluster.nodes().get(client.index() % cluster.nodes().size()).uri();
    }

    /** Before Redis 7.0 a release is published to all nodes, and none of them knows all subscribers. */
    @Override
    public boolean hasLines() {
        return !cluster.nodes().get(0).server().version().startsWith("6.");
    }

    @Override
    public List<RedisServer> masters() {
        return cluster.masters().stream().map(ClusterNode::server).toList();
    }

    @Override
    public List<String> left() {
        List<String> left = new ArrayList<>();
        for (ClusterNode node : cluster.masters()) {
            Remains.keys(node.server()).forEach(key -> left.add("key " + key + " at " + node));
        }
        for (ClusterNode node : cluster.nodes()) {
            node.server().channels().forEach(channel -> left.add("channel " + channel + " at " + node));
            node.server().clients().stream()
                    .filter(connection -> !THEIR_OWN.matcher(connection).find())
                    .forEach(connection -> left.add("connection " + connection + " at " + node));
        }
        return left;
    }

    @Override
    public void close() {
        cluster.close();
    }
}
