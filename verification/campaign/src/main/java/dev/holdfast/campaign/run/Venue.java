package dev.holdfast.campaign.run;

import dev.holdfast.campaign.nemesis.Servers;
import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.testkit.FaultProxy;
import java.util.List;

/** The Redis servers of one round, and how its clients are connected to them. */
interface Venue extends AutoCloseable {
    /** The prefix of the tokens, the only keys of a lock that may outlive its users. */
    String TOKENS = "redisson_lock_token:";

    /** What begins the names of the keys that outlive a latch. */
    String RECORDS = "holdfast_latch:";

    /** {@return whether this key is left when all locks are free and all latches are open, and their clients are closed} */
    static boolean stays(String key) {
        return key.startsWith(TOKENS) || key.startsWith(RECORDS);
    }

    static Venue open(RoundPlan plan) {
        if (plan.theme().isOnCluster()) {
            return ClusterVenue.open();
        }
        return plan.theme().isUnderSentinels() ? SentinelVenue.open() : SingleVenue.open(plan);
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

    /** {@return what the clients have left behind: keys other than tokens, channels, connections} */
    List<String> left();

    @Override
    void close();
}
