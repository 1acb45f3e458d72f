package dev.holdfast.campaign.nemesis;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.util.List;

/**
 * Where faults happen.
 *
 * @param server which all clients use, by way of their proxies; it keeps its data over a restart
 * @param links one proxy for each client
 * @param victims one for each client, in the same order
 * @param locks the keys of the locks
 */
public record Site(RedisServer server, List<FaultProxy> links, List<Victim> victims, List<String> locks) {
    /** Takes back whatever may still be wrong. */
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
