package dev.holdfast.campaign.nemesis;

import dev.holdfast.testkit.RedisServer;

/**
 * One server for all clients.
 *
 * @param server that they use through their proxies; it keeps its data over a restart
 */
public record SingleServer(RedisServer server) implements Servers {
    @Override
    public void heal() {
        if (server.isRunning()) {
            server.resume();
        } else {
            server.restart();
        }
    }
}
