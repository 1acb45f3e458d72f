package dev.holdfast.internal.topology;

import dev.holdfast.LockException;
import dev.holdfast.internal.driver.NodeConnection;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.session.ServerUris;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.pubsub.Subscriptions;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt to connect a client for the first time: to one server, by a command connection and the subscriptions, which
 * are opened together or not at all; or to the masters of a cluster, which are opened as they are needed; or to sentinels,
 * and to the master that they name.
 *
 * <pre>
 *            determine                   await, which follows the topology's start
 *   CREATED -----------> DETERMINED -----------------------------------------------> CONNECTED
 *                 \              \
 *                  +--- fails ----+---> to be abandoned
 * </pre>
 *
 * <p>Used by one thread, which it blocks; {@link #cancel} is called by another one.
 *
 * @see "BackgroundConnectTest, InfoLogTest"
 */
public final class FirstConnect {
    private static final Logger log = LoggerFactory.getLogger(FirstConnect.class);

    private final Settings settings;
    private final Driver driver;
    private final Session session;
    private final Opening opening;

    /** The connections to servers that the user named, and the attempts to make them. */
    private final Queue<CompletionStage<NodeConnection>> connections = new ConcurrentLinkedQueue<>();

    /** To the one server that the user named. */
    private final Subscriptions subscriptions;

    private @Nullable CompletionStage<Boolean> subscribing;

    /** What was determined. */
    private @Nullable Topology topology;

    /** What Redis has turned out to be. */
    private String found = "";

    private Function<Throwable, LockException> failed = why -> new LockException(Opening.reason(why), why);

    /** @param session is given whether another server takes over if one fails */
    public FirstConnect(Settings settings, Driver driver, Session session) {
        this.settings = settings;
        this.driver = driver;
        this.session = session;
        this.opening = new Opening(settings.connectTimeout());
        this.subscriptions = driver.unconnected();
    }

    /**
     * {@return the nodes of Redis, which are to be started then}
     *
     * @throws LockException if Redis cannot be connected to, or cannot be used as it is
     */
    public Topology determine() {
        Topology determined = determine(driver.uris());
        topology = determined;
        return determined;
    }

    private Topology determine(List<RedisURI> uris) {
        if (ServerUris.isSentinel(uris.get(0))) {
            return sentinels();
        }
        return uris.size() == 1 ? one(uris.get(0)) : seeds(uris);
    }

    /**
     * Waits until the topology is started.
     *
     * @throws LockException if it is not in time, or fails
     */
    public void await(CompletionStage<?> started) {
        opening.await(started, failed);
        log.info(
                "Client {} is connected to Redis at {}, {}",
                session.owners().describeClient(),
                session.address(),
                found);
    }

    /** {@return a channel of this client alone, of the same form as in a cluster, where the number decides on the slot} */
    private String unusedChannel() {
        return LockKey.unusedChannel(settings.keyPrefix() + 0, session.owners().clientId());
    }

    private CompletionStage<NodeConnection> connect(RedisURI uri) {
        CompletionStage<NodeConnection> connection = driver.connect(uri);
        connections.add(connection);
        return connection;
    }

    /** To a server that is alone, both connections are made at the same time. */
    private Topology one(RedisURI uri) {
        CompletionStage<NodeConnection> commands = connect(uri);
        CompletionStage<Boolean> connecting = driver.open(subscriptions, uri);
        subscribing = connecting;
        opening.begun();
        SeedNode node = new SeedNode(uri, opening.await(commands, uri), opening);
        boolean inCluster = node.isInCluster();
        if (inCluster) {
            node.address();
        } else {
            node.requireMaster();
        }
        opening.await(connecting, uri);
        requireReplication(node);
        if (!inCluster) {
            opening.await(
                    driver.probe(subscriptions, Opening.place(uri), unusedChannel()),
                    why -> Opening.cannotConnect(uri, why));
            return single(node, uri);
        }
        opening.await(subscriptions.closeAsync(), uri);
        return cluster(node, node.slots());
    }

    private Topology seeds(List<RedisURI> uris) {
        Seeds seeds = new Seeds(this::connect, uris);
        SeedNode seed = seeds.firstToAnswer(opening);
        if (!seed.isInCluster()) {
            throw new LockException(
                    "redisUri names " + uris.size() + " servers, which must be nodes of one cluster, but Redis at "
                            + seed.place() + " is of none; replicas of one master are named by their sentinels",
                    null);
        }
        requireReplication(seed);
        SlotTable table = seed.slots();
        seeds.requireOneCluster(seed, table);
        return cluster(seed, table);
    }

    private void requireReplication(SeedNode node) {
        if (settings.replicas() > 0) {
            node.requireWait();
        }
    }

    /** The connections that were made first are used. */
    private Topology single(SeedNode node, RedisURI uri) {
        session.outage(settings.outage(false));
        found = "one server";
        failed = why -> Opening.cannotConnect(uri, why);
        return new OneServer(session, driver, Opening.place(uri), subscriptions, unusedChannel(), node.connection());
    }

    private Topology sentinels() {
        session.outage(settings.outage(true));
        found = "the sentinels of one master";
        Sentinels sentinels = new Sentinels(settings, session, driver);
        failed = sentinels::cannotOpen;
        opening.begun();
        return sentinels;
    }

    /** The node that the user named is asked for the others; it may be a replica. */
    private Topology cluster(SeedNode seed, SlotTable table) {
        session.outage(settings.outage(true));
        found = "a cluster";
        seed.requireReceivable();
        seed.close();
        Cluster cluster = new Cluster(settings, session, driver, seed.address(), table);
        failed = cluster::cannotOpen;
        return cluster;
    }

    /** It is wanted no more: what the thread awaits fails. */
    void cancel() {
        opening.abandon();
    }

    /** Closes what it has opened, the subscriptions before the event loops they need. */
    public void abandon(Shutdown shutdown) {
        CompletionStage<Boolean> connecting = subscribing;
        if (connecting != null) {
            shutdown.await("the subscriptions", () -> connecting.thenCompose(used -> subscriptions.closeAsync()));
        }
        Topology started = topology;
        if (started != null) {
            close(started, shutdown);
        }
        connections.forEach(connection -> close(connection.toCompletableFuture(), shutdown));
    }

    /** One that is still being made is closed when it has been, which is not awaited. */
    private static void close(CompletableFuture<NodeConnection> connection, Shutdown shutdown) {
        CompletionStage<?> closed = connection.thenCompose(NodeConnection::closeAsync);
        if (connection.isDone()) {
            shutdown.await("a connection", () -> closed);
        }
    }

    /** Closes the connections of these nodes. */
    public static void close(Topology nodes, Shutdown shutdown) {
        nodes.homes().forEach(RedisHome::endEvents);
        shutdown.await("the topology", nodes::stop)
                .await(
                        "the subscriptions",
                        () -> all(nodes, node -> node.channels().closeAsync()))
                .await("the command connections", () -> all(nodes, RedisHome::closeCommandsAsync));
    }

    private static CompletionStage<?> all(Topology nodes, Function<RedisHome, CompletionStage<Void>> closing) {
        return CompletableFuture.allOf(nodes.homes().stream()
                .map(node -> closing.apply(node).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }
}
