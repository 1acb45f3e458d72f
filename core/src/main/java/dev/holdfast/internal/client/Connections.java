package dev.holdfast.internal.client;

import dev.holdfast.LockException;
import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.redis.NodeConnection;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Replication;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.session.RedisHome;
import dev.holdfast.internal.session.ReplicatedLocks;
import dev.holdfast.internal.session.ServerUris;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.pubsub.Subscriptions;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client: to one server, a command connection, and the subscriptions, which are opened together or
 * not at all; or to the masters of a cluster, which are opened as they are needed; or to sentinels, and to the master
 * that they name.
 */
public final class Connections {
    private final Settings settings;
    private final Driver driver;
    private final Opening opening;

    /** To the one server that the user named. */
    private final Subscriptions subscriptions;

    private @Nullable CompletionStage<Boolean> subscribing;

    /** Set when its connections are about to be opened. */
    private @Nullable Topology topology;

    private Connections(Settings settings) {
        this.settings = settings;
        this.driver = new Driver(settings);
        this.opening = new Opening(settings.connectTimeout());
        this.subscriptions = driver.unconnected();
    }

    /** Connects a client with these settings; leaves nothing open if that fails. */
    public static ConnectedClient open(Settings settings) {
        Connections connections = new Connections(settings);
        try {
            return connections.open();
        } catch (RuntimeException e) {
            connections.abandon();
            throw e instanceof LockException ? e : Opening.cannotConnect(settings.redisUri(), e);
        } catch (Error e) {
            connections.abandon();
            throw e;
        }
    }

    private ConnectedClient open() {
        List<RedisURI> uris = driver.uris();
        if (ServerUris.isSentinel(uris.get(0))) {
            return openSentinels();
        }
        return uris.size() == 1 ? openOne(uris.get(0)) : openSeeds(uris);
    }

    /** To a server that is alone, both connections are made at the same time. */
    private ConnectedClient openOne(RedisURI uri) {
        CompletionStage<NodeConnection> commands = driver.connect(uri);
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
            return openSingle(node, uri);
        }
        opening.await(subscriptions.closeAsync(), uri);
        return openCluster(node, node.slots());
    }

    private ConnectedClient openSeeds(List<RedisURI> uris) {
        Seeds seeds = new Seeds(driver, uris);
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
        return openCluster(seed, table);
    }

    private void requireReplication(SeedNode node) {
        if (settings.replicated() != null) {
            node.requireWait();
        }
    }

    /** {@return the nodes of all locks: once for those that are replicated, and once for the others, if there are both} */
    private Topology nodes(Function<@Nullable Replication, Topology> of) {
        ReplicatedLocks replicated = settings.replicated();
        if (replicated == null) {
            return of.apply(null);
        }
        Topology nodes = of.apply(replicated.replication());
        return replicated.areSome() ? new DualTopology(of.apply(null), nodes) : nodes;
    }

    /** The connections that were made first are used, and further ones made if others are needed. */
    private ConnectedClient openSingle(SeedNode node, RedisURI uri) {
        Kind plain = new PlainKind(settings.label());
        Session session = newSession(false);
        AtomicBoolean used = new AtomicBoolean();
        Topology single = nodes(replication -> used.getAndSet(true)
                ? another(session, plain, uri, replication)
                : single(
                        session,
                        plain,
                        replication,
                        subscriptions,
                        CompletableFuture.completedStage(node.connection())));
        return start(session, single, why -> Opening.cannotConnect(uri, why), plain, new FencedKind(settings.label()));
    }

    private Topology another(Session session, Kind plain, RedisURI uri, @Nullable Replication replication) {
        Subscriptions channels = driver.unconnected();
        CompletionStage<NodeConnection> connection = driver.connect(uri);
        return single(
                session,
                plain,
                replication,
                channels,
                driver.open(channels, uri).thenCompose(connected -> connection));
    }

    private Topology single(
            Session session,
            Kind plain,
            @Nullable Replication replication,
            Subscriptions channels,
            CompletionStage<NodeConnection> connection) {
        RedisLink link = new RedisLink(
                plain.scripts(),
                driver.deadlines(),
                settings.commandTimeout(),
                driver.epochs(),
                Routing.NONE,
                replication);
        RedisHome home = new RedisHome(session, link, channels, Publishing.SINGLE);
        return Topology.of(home, listener -> connection.thenCompose(made -> made.start(link, listener)));
    }

    private ConnectedClient openSentinels() {
        Kind plain = new PlainKind(settings.label());
        Session session = newSession(true);
        List<Sentinels> parts = new ArrayList<>();
        Topology sentinels = nodes(replication -> {
            Sentinels part = new Sentinels(settings, session, driver, plain.scripts(), replication);
            parts.add(part);
            return part;
        });
        opening.begun();
        return start(session, sentinels, parts.get(0)::cannotOpen, plain, new FencedKind(settings.label()));
    }

    private Session newSession(boolean failsOver) {
        return new Session(
                settings, driver.deadlines(), System::currentTimeMillis, driver.pauses(), settings.outage(failsOver));
    }

    private ConnectedClient start(
            Session session, Topology nodes, Function<Throwable, LockException> failed, Kind plain, Kind fenced) {
        topology = nodes;
        Client client = new Client(session, nodes, settings.driftAllowance(), settings.maxHold());
        opening.await(client.start(), failed);
        return new ConnectedClient(client, this, plain, fenced, settings);
    }

    /** The node that the user named is asked for the others; it may be a replica. */
    private ConnectedClient openCluster(SeedNode seed, SlotTable table) {
        Publishing publishing = seed.publishing();
        seed.close();
        Kind plain = new PlainKind(settings.label(), publishing);
        Session session = newSession(true);
        List<Cluster> parts = new ArrayList<>();
        Topology cluster = nodes(replication -> {
            Cluster part = new Cluster(
                    settings, session, driver, plain.scripts(), publishing, replication, seed.address(), table);
            parts.add(part);
            return part;
        });
        return start(session, cluster, parts.get(0)::cannotOpen, plain, new FencedKind(settings.label(), publishing));
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
}
