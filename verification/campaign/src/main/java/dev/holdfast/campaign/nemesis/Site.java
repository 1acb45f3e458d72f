package dev.holdfast.campaign.nemesis;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.util.List;

/**
 * The targets of the faults of a round.
 *
 * @param servers that the clients use
 * @param links the proxies in front of a single server, one for each client
 * @param victims the processes of the clients, in the same order
 * @param locks the keys of the locks
 */
public record Site(Servers servers, List<FaultProxy> links, List<Victim> victims, List<String> locks) {
    /** {@return the one server of the round} */
    RedisServer server() {
        if (servers instanceof SingleServer single) {
            return single.server();
        }
        throw new IllegalStateException("the fault must be of a single server, but the servers are " + servers);
    }

    /** {@return the servers of the round, which replace each other} */
    Masters masters() {
        if (servers instanceof Masters masters) {
            return masters;
        }
        throw new IllegalStateException("the fault must be of a master, but the servers are " + servers);
    }

    /** {@return the cluster of the round} */
    ClusterServers cluster() {
        if (servers instanceof ClusterServers cluster) {
            return cluster;
        }
        throw new IllegalStateException("the fault must be of a cluster, but the servers are " + servers);
    }

    /** {@return the sentinels of the round} */
    SentinelServers sentinels() {
        if (servers instanceof SentinelServers sentinels) {
            return sentinels;
        }
        throw new IllegalStateException("the fault must be of sentinels, but the servers are " + servers);
    }

    /** Ends every fault of the network, and resumes the server and the clients. */
    void heal() {
        links.forEach(FaultProxy::heal);
        servers.heal();
        victims.forEach(Victim::thaw);
    }
}
