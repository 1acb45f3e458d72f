package dev.holdfast.campaign.run;

import dev.holdfast.campaign.nemesis.Servers;
import dev.holdfast.campaign.nemesis.SingleServer;
import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One server that keeps its data over a restart, with a proxy in front of it for each client. */
final class SingleVenue implements Venue {
    private final RedisServer server;
    private final List<FaultProxy> links = new ArrayList<>();

    private SingleVenue(RedisServer server) {
        this.server = server;
    }

    /** @param distance the time that each request and each reply takes */
    static SingleVenue open(int clients, Duration distance) {
        SingleVenue venue = new SingleVenue(RedisServer.builder().persistent().start());
        try {
            for (int client = 0; client < clients; client++) {
                venue.addLink(distance);
            }
        } catch (RuntimeException e) {
            venue.close();
            throw e;
        }
        return venue;
    }

    private void addLink(Duration distance) {
        FaultProxy link = FaultProxy.inFrontOf(server);
        links.add(link);
        link.distance(distance);
    }

    @Override
    public Servers servers() {
        return new SingleServer(server);
    }

    @Override
    public List<FaultProxy> links() {
        return links;
    }

    @Override
    public String uri(ClientPlan client) {
        FaultProxy link = links.get(client.index());
        if (!client.rights().isOwn()) {
            return link.uri();
        }
        String user = ClientPlan.user(client.index());
        server.command(client.rights().user(user));
        server.command("CONFIG", "REWRITE"); // the user survives a restart
        return "redis://" + user + ":" + user + "@127.0.0.1:" + link.port();
    }

    @Override
    public List<RedisServer> masters() {
        return List.of(server);
    }

    @Override
    public List<String> left() {
        List<String> left = new ArrayList<>();
        Remains.keys(server).forEach(key -> left.add("key " + key));
        server.channels().forEach(channel -> left.add("channel " + channel));
        server.clients().forEach(connection -> left.add("connection " + connection));
        return left;
    }

    @Override
    public void close() {
        links.forEach(FaultProxy::close);
        server.close();
    }
}
