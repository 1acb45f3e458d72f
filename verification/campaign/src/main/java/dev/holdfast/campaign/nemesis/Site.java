package dev.holdfast.campaign.nemesis;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.util.List;

/**
 * The targets of the faults of a round.
 *
 * @param server the server that all clients use through their proxies; it keeps its data over a restart
 * @param links the proxies, one for each client
 * @param victims the processes of the clients, in the same order
 * @param locks the keys of the locks
 */
public record Site(RedisServer server, List<FaultProxy> links, List<Victim> victims, List<String> locks) {
    /** Ends every fault of the network, and resumes the server and the clients. */
    void heal() {
        links.forEach(FaultProxy::heal);
        if (server.isRunning()) {
            server.resume();
        } else {
            server.restart();
        }
        victims.forEach(Victim::thaw);
    }
}
