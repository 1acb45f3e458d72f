package dev.holdfast.internal.client;

import dev.holdfast.LockException;
import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.redis.NodeConnection;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.redis.TlsFailure;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.RedisHome;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.pubsub.Subscriptions;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client: a command connection, and the subscriptions. They are opened together or not at all.
 *
 * <p>The connect timeout bounds the opening as a whole, from the set-up of the socket to the replies to the first
 * commands.
 */
public final class Connections {
    private final Settings settings;
    private final Driver driver;
    private final RedisURI uri;

    /** The time by which the client must be open, by {@link System#nanoTime}; set once the connects have begun. */
    private long openByNanos;

    /** To the address that the user gave. */
    private final Subscriptions subscriptions;

    private @Nullable CompletionStage<Boolean> subscribing;

    /** Set when its connections are about to be opened. */
    private @Nullable Topology topology;

    private Connections(Settings settings) {
        this.settings = settings;
        this.driver = new Driver(settings);
        this.uri = driver.uri();
        this.subscriptions = driver.unconnected();
    }

    /** Connects a client with these settings; leaves nothing open if that fails. */
    public static ConnectedClient open(Settings settings) {
        Connections connections = new Connections(settings);
        try {
            return connections.open();
        } catch (RuntimeException e) {
            connections.abandon();
            throw e instanceof LockException ? e : connections.cannotConnect(e);
        } catch (Error e) {
            connections.abandon();
            throw e;
        }
    }

    private ConnectedClient open() {
        CompletionStage<NodeConnection> commands = driver.connect();
        subscribing = driver.open(subscriptions);
        // Not earlier: until here this thread itself used the time, perhaps to load the driver's classes.
        openByNanos = System.nanoTime() + settings.connectTimeout().toNanos();
        NodeConnection connection = await(commands);
        if (isCluster(connection)) {
            throw new LockException(
                    "Redis at " + place() + " is a node of a cluster; Redis Cluster is not supported for now", null);
        }
        return openSingle(connection);
    }

    private ConnectedClient openSingle(NodeConnection connection) {
        Kind plain = new PlainKind(settings.label());
        Session session = new Session(settings, driver.deadlines(), System::currentTimeMillis, driver.pauses());
        RedisLink link = new RedisLink(
                plain.scripts(), driver.deadlines(), settings.commandTimeout(), new AtomicLong(), Routing.NONE);
        awaitSubscriptions();
        RedisHome home = new RedisHome(session, link, subscriptions, Publishing.SINGLE);
        Topology single = Topology.of(home, listener -> connection.start(link, listener));
        return start(session, single, plain, new FencedKind(settings.label()));
    }

    private ConnectedClient start(Session session, Topology nodes, Kind plain, Kind fenced) {
        topology = nodes;
        Client client = new Client(session, nodes, settings.driftAllowance(), settings.maxHold());
        await(client.start());
        return new ConnectedClient(client, this, plain, fenced, settings.keyPrefix());
    }

    /** Closes everything, within a command timeout and {@link Shutdown#LONGEST_WAIT}. */
    void close(Client client) {
        Topology nodes = client.topology();
        Shutdown shutdown = new Shutdown()
                .run("the holds", client::close)
                .await(
                        "the subscriptions",
                        () -> all(nodes, node -> node.channels().closeAsync()))
                .await("the command connections", () -> all(nodes, RedisHome::closeCommandsAsync))
                .run("the waits for a connection", () -> nodes.homes()
                        .forEach(node -> node.connectionWait().close()))
                .run("the handoffs", client::abandonHandoffs)
                .run("the callbacks", () -> client.session().callbacks().close())
                .run("the deadlines", driver.deadlines()::close);
        driver.close(shutdown);
    }

    private static CompletionStage<?> all(Topology nodes, Function<RedisHome, CompletionStage<Void>> closing) {
        return CompletableFuture.allOf(nodes.homes().stream()
                .map(node -> closing.apply(node).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    /**
     * Closes the resources of a client that could not be opened: the subscriptions before the event loops they need.
     */
    private void abandon() {
        Shutdown shutdown = new Shutdown();
        CompletionStage<Boolean> connecting = subscribing;
        if (connecting != null) {
            shutdown.await("the subscriptions", () -> connecting.thenCompose(used -> subscriptions.closeAsync()));
        }
        Topology started = topology;
        if (started != null) {
            shutdown.run("the nodes", started::stop)
                    .await(
                            "the subscriptions",
                            () -> all(started, node -> node.channels().closeAsync()))
                    .await("the command connections", () -> all(started, RedisHome::closeCommandsAsync));
        }
        driver.close(shutdown);
    }

    private boolean isCluster(NodeConnection connection) {
        try {
            return await(connection.info("cluster")).contains("cluster_enabled:1");
        } catch (LockException e) {
            if (e.getCause() instanceof RedisCommandExecutionException) {
                return false;
            }
            throw e;
        }
    }

    private void awaitSubscriptions() {
        CompletionStage<Boolean> connecting = subscribing;
        if (connecting != null) {
            await(connecting);
        }
    }

    private <T extends @Nullable Object> T await(CompletionStage<T> opening) {
        CompletableFuture<T> bounded = opening.toCompletableFuture().copy();
        Blocking.atMost(bounded, Duration.ofNanos(openByNanos - System.nanoTime()));
        bounded.completeExceptionally(
                new TimeoutException("no answer within the connect timeout, " + settings.connectTimeout()));
        try {
            return Blocking.forResult(bounded);
        } catch (LockException e) {
            throw cannotConnect(e);
        }
    }

    private LockException cannotConnect(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String why = uri.isSsl() ? TlsFailure.explain(failure) : reason(root);
        return new LockException("cannot connect to Redis at " + place() + ": " + why, root);
    }

    /** {@return the message of a failure, or its class if it has none} */
    static String reason(Throwable why) {
        String message = why.getMessage();
        return message == null ? why.getClass().getSimpleName() : message;
    }

    /** {@return the address of Redis, without the credentials that its URI may have} */
    private String place() {
        return uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket();
    }
}
