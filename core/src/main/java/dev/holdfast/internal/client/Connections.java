package dev.holdfast.internal.client;

import dev.holdfast.LockException;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.internal.topology.Driver;
import dev.holdfast.internal.topology.FirstConnect;
import dev.holdfast.internal.topology.LaterTopology;
import dev.holdfast.internal.topology.Opening;
import dev.holdfast.internal.topology.Shutdown;
import dev.holdfast.internal.topology.Topology;

/** The connections of a client: they are made by {@link FirstConnect}, at once or in the background. */
public final class Connections {
    private final Settings settings;
    private final Driver driver;
    private final Session session;

    /** A client, and how it is closed. */
    public record Opened(Client client, Closing closing) {}

    private Connections(Settings settings) {
        this.settings = settings;
        this.driver = new Driver(settings);
        this.session = new Session(settings, driver.deadlines(), System::currentTimeMillis, driver.pauses());
    }

    /**
     * {@return a client with these settings} It is connected, unless that is to be done in the background. Leaves nothing
     * open if it fails.
     */
    public static Opened open(Settings settings) {
        Connections connections = new Connections(settings);
        return settings.connectsInBackground() ? connections.openInBackground() : connections.open();
    }

    private Opened open() {
        FirstConnect connect = new FirstConnect(settings, driver, session);
        try {
            Client client = client(connect.determine());
            connect.await(client.start());
            return opened(client);
        } catch (RuntimeException e) {
            abandon(connect);
            throw e instanceof LockException ? e : Opening.cannotConnect(settings.redisUri(), e);
        } catch (Error e) {
            abandon(connect);
            throw e;
        }
    }

    private void abandon(FirstConnect connect) {
        Shutdown shutdown = new Shutdown();
        connect.abandon(shutdown);
        driver.close(shutdown);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is not awaited
    private Opened openInBackground() {
        Client client = client(new LaterTopology(settings, session, driver));
        client.start();
        return opened(client);
    }

    private Client client(Topology nodes) {
        driver.onReconnectFailed((endpoint, why) ->
                nodes.homes().forEach(home -> home.attemptFailed(endpoint, place -> cannotReconnect(place, why))));
        return new Client(session, nodes, driver.onIoThread(), settings.driftAllowance(), settings.maxHold());
    }

    private LockException cannotReconnect(String place, Throwable why) {
        return new LockException(
                "cannot reconnect to Redis at " + place + ": " + Opening.why(settings.redisUri(), why),
                Opening.root(why));
    }

    private Opened opened(Client client) {
        return new Opened(client, new Closing(client, this));
    }

    /** Closes everything, within a command timeout and {@link Shutdown#LONGEST_WAIT}. */
    void close(Client client) {
        Topology nodes = client.topology();
        Shutdown shutdown = new Shutdown().run("the holds", client::close);
        FirstConnect.close(nodes, shutdown);
        shutdown.run("the waits for a connection", () -> nodes.homes()
                        .forEach(node -> node.connectionWait().close()))
                .run("the handoffs", client::abandonHandoffs)
                .run("the callbacks", () -> client.session().callbacks().close())
                .run("the deadlines", driver.deadlines()::close);
        driver.close(shutdown);
    }
}
