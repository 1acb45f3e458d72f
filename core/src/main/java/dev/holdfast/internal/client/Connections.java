package dev.holdfast.internal.client;

import dev.holdfast.LockException;
import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.redis.NodeAddress;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client: to one server, a command connection, and the subscriptions, which are opened together or
 * not at all; or to the masters of a cluster, which are opened as they are needed.
 *
 * <p>The connect timeout bounds the opening as a whole, from the set-up of the socket to the replies to the first
 * commands.
 */
public final class Connections {
    /** How long a call that waits for ever waits for a cluster to replace a master. */
    private static final Duration FAILOVER = Duration.ofSeconds(15);

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
        return isCluster(connection) ? openCluster(connection) : openSingle(connection);
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

    /** The node that the user named is asked for the others; it may be a replica. */
    private ConnectedClient openCluster(NodeConnection connection) {
        if (uri.getSocket() != null) {
            throw new LockException(
                    "Redis at " + place() + " is a node of a cluster, which is not used over a Unix domain socket",
                    null);
        }
        NodeAddress seed = new NodeAddress(uri.getHost(), uri.getPort());
        SlotTable table = slots(connection, seed);
        Publishing publishing = publishing(connection);
        await(connection.closeAsync());
        awaitSubscriptions();
        await(subscriptions.closeAsync());

        Kind plain = new PlainKind(settings.label(), publishing);
        Session session = new Session(
                settings,
                driver.deadlines(),
                System::currentTimeMillis,
                driver.pauses(),
                longer(settings.commandTimeout(), FAILOVER));
        Topology cluster = new Cluster(settings, session, driver, plain.scripts(), publishing, seed, table);
        return start(session, cluster, plain, new FencedKind(settings.label(), publishing));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private SlotTable slots(NodeConnection connection, NodeAddress seed) {
        SlotTable table;
        try {
            table = SlotTable.read(await(connection.clusterSlots()), seed);
        } catch (LockException e) {
            throw e.getCause() instanceof RedisCommandExecutionException refusal
                    ? new LockException(
                            "Redis at " + place() + " is a node of a cluster, and does not say which slots are where;"
                                    + " that needs the right +cluster|slots: " + reason(refusal),
                            refusal)
                    : e;
        }
        if (table.isEmpty()) {
            throw new LockException(
                    "Redis at " + place() + " is a node of a cluster in which no node has any slots", null);
        }
        return table;
    }

    /** Redisson's clients choose in the same way, or they would not hear of each other's releases. */
    private Publishing publishing(NodeConnection connection) {
        try {
            await(connection.countSharded());
        } catch (LockException e) {
            if (e.getCause() instanceof RedisCommandExecutionException) {
                return Publishing.BROADCAST;
            }
            throw e;
        }
        List<Object> server = await(connection.hello());
        int protocol = server.indexOf("proto") + 1;
        if (protocol == 0 || !server.get(protocol).equals(3L)) {
            throw new LockException(
                    "the cluster of Redis at " + place() + " has sharded channels, which need the protocol RESP3",
                    null);
        }
        return Publishing.SHARDED;
    }

    /** Closes everything, within a command timeout and {@link Shutdown#LONGEST_WAIT}. */
    void close(Client client) {
        Topology nodes = client.topology();
        Shutdown shutdown = new Shutdown()
                .run("the holds", client::close)
                .await("the topology", nodes::stop)
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
            shutdown.await("the topology", started::stop)
                    .await(
                            "the subscriptions",
                            () -> all(started, node -> node.channels().closeAsync()))
                    .await("the command connections", () -> all(started, RedisHome::closeCommandsAsync));
        }
        driver.close(shutdown);
    }

    /** Without the right to INFO, the node is taken for a server that is alone, and redirects commands if it is not. */
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
