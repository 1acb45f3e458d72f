package dev.holdfast.campaign.run;

import dev.holdfast.campaign.nemesis.SentinelServers;
import dev.holdfast.campaign.nemesis.Servers;
import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A master with two replicas under three sentinels, to all of which the clients are connected directly. */
final class SentinelVenue implements Venue {
    /** A connection to a replica or to a master, or one of a sentinel, in CLIENT LIST. */
    private static final Pattern THEIR_OWN = Pattern.compile(" flags=[SM] | name=sentinel-");

    private static final String GREETINGS = "__sentinel__:hello";

    private final RedisSentinels sentinels;

    private SentinelVenue(RedisSentinels sentinels) {
        this.sentinels = sentinels;
    }

    static SentinelVenue open() {
        return new SentinelVenue(RedisSentinels.start());
    }

    @Override
    public Servers servers() {
        return new SentinelServers(sentinels);
    }

    @Override
    public List<FaultProxy> links() {
        return List.of();
    }

    @Override
    public String uri(ClientPlan client) {
        return sentinels.uri();
    }

    @Override
    public List<RedisServer> masters() {
        return List.of(sentinels.master().server());
    }

    @Override
    public List<String> left() {
        List<String> left = new ArrayList<>();
        Remains.keys(sentinels.master().server()).forEach(key -> left.add("key " + key));
        for (DataNode node : sentinels.servers()) {
            node.server().channels().stream()
                    .filter(channel -> !channel.equals(GREETINGS))
                    .forEach(channel -> left.add("channel " + channel + " at " + node));
            left.addAll(connections(node.server()));
        }
        // A sentinel does not list its channels.
        sentinels.sentinels().forEach(sentinel -> left.addAll(connections(sentinel)));
        return left;
    }

    private static List<String> connections(RedisServer server) {
        return server.clients().stream()
                .filter(connection -> !THEIR_OWN.matcher(connection).find())
                .map(connection -> "connection " + connection + " at " + server)
                .toList();
    }

    @Override
    public void close() {
        sentinels.close();
    }
}
