package dev.holdfast.internal.client;

import dev.holdfast.LockException;
import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.PlainKind;
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
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Collection;
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

    private @Nullable CompletionStage<Subscriptions> subscriptions;

    private Connections(Settings settings) {
        this.settings = settings;
        this.driver = new Driver(settings);
        this.uri = driver.uri();
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
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> commands = driver.connect(uri);
        subscriptions = driver.subscribe(uri);
        // Not earlier: until here this thread itself used the time, perhaps to load the driver's classes.
        openByNanos = System.nanoTime() + settings.connectTimeout().toNanos();
        StatefulRedisConnection<byte[], byte[]> connection = await(commands);
        refuseCluster(connection);

        Kind plain = new PlainKind(settings.label());
        Session session = new Session(settings, driver.deadlines(), System::currentTimeMillis, driver.pauses());
        RedisLink link = new RedisLink(
                plain.scripts(), driver.deadlines(), settings.commandTimeout(), new AtomicLong(), Routing.NONE);
        RedisHome home = new RedisHome(session, link, await(subscriptions));
        Topology single = Topology.of(
                home, listener -> link.start(connection, driver.channels().of(connection), listener));
        Client client = new Client(session, single, settings.driftAllowance(), settings.maxHold());
        await(client.start());
        return new ConnectedClient(client, this, plain, new FencedKind(settings.label()), settings.keyPrefix());
    }

    /** Closes everything, within a command timeout and {@link Shutdown#LONGEST_WAIT}. */
    void close(Client client) {
        Collection<RedisHome> nodes = client.topology().homes();
        Shutdown shutdown = new Shutdown()
                .run("the holds", client::close)
                .await(
                        "the subscriptions",
                        () -> all(nodes, node -> node.channels().closeAsync()))
                .await("the command connections", () -> all(nodes, RedisHome::closeCommandsAsync))
                .run(
                        "the waits for a connection",
                        () -> nodes.forEach(node -> node.connectionWait().close()))
                .run("the handoffs", client::abandonHandoffs)
                .run("the callbacks", () -> client.session().callbacks().close())
                .run("the deadlines", driver.deadlines()::close);
        driver.close(shutdown);
    }

    private static CompletionStage<?> all(
            Collection<RedisHome> nodes, Function<RedisHome, CompletionStage<Void>> closing) {
        return CompletableFuture.allOf(nodes.stream()
                .map(node -> closing.apply(node).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    /**
     * Closes the resources of a client that could not be opened: the subscriptions before the event loops they need.
     */
    private void abandon() {
        Shutdown shutdown = new Shutdown();
        CompletionStage<Subscriptions> opened = subscriptions;
        if (opened != null) {
            shutdown.await("the subscriptions", () -> opened.thenCompose(Subscriptions::closeAsync));
        }
        driver.close(shutdown);
    }

    private void refuseCluster(StatefulRedisConnection<byte[], byte[]> connection) {
        String info;
        try {
            info = await(connection.async().info("cluster"));
        } catch (LockException e) {
            if (e.getCause() instanceof RedisCommandExecutionException) {
                return;
            }
            throw e;
        }
        if (info.contains("cluster_enabled:1")) {
            throw new LockException(
                    "Redis at " + place() + " is a node of a cluster; Redis Cluster is not supported for now", null);
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
