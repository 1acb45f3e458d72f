package dev.holdfast.campaign.run;

import dev.holdfast.campaign.nemesis.Servers;
import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.List;

/** The Redis servers of one round, and how its clients are connected to them. */
public interface Venue extends AutoCloseable {
    /** {@return one server, or a cluster, for so many clients} */
    static Venue of(boolean cluster, int clients) {
        return cluster ? ClusterVenue.open() : SingleVenue.open(clients, Duration.ZERO);
    }

    static Venue open(RoundPlan plan) {
        if (plan.theme().isOnCluster()) {
            return ClusterVenue.open();
        }
        return plan.theme().isUnderSentinels()
                ? SentinelVenue.open()
                : SingleVenue.open(plan.clients().size(), plan.distance());
    }

    Servers servers();

    /** {@return the proxies, one for each client; none if the clients are connected directly} */
    List<FaultProxy> links();

    /** {@return the URI for this client} */
    String uri(ClientPlan client);

    /** {@return whether a server knows how many clients listen to it, so that they can form a line} */
    default boolean hasLines() {
        return true;
    }

    /** {@return the servers that have the keys at present} */
    List<RedisServer> masters();

    /** {@return what the clients have left behind: keys other than tokens, channels, connections} */
    List<String> left();

    @Override
    void close();
}
