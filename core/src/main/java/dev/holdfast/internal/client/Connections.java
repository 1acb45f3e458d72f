package dev.holdfast.internal.client;

import dev.holdfast.LockException;
import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.redis.CommandChannel;
import dev.holdfast.internal.redis.DriverOptions;
import dev.holdfast.internal.redis.ReconnectLimit;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.TlsFailure;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.RedisHome;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.pubsub.PubSubSettings;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The resources of a client: a timer, the driver with its event loops, the command connection and the subscriptions.
 * They are opened together or not at all.
 *
 * <p>The connect timeout bounds the opening as a whole, from the set-up of the socket to the replies to the first
 * commands. See {@link DriverOptions} for the configuration of the driver, and {@link ReconnectLimit} for its
 * reconnects.
 */
public final class Connections {
    private static final long SHUTDOWN_SECONDS = 2;

    private final Settings settings;
    /** Its timeout is the driver's timeout for the handshake. */
    private final RedisURI uri;

    private final ClientOptions options;

    /** The time by which the client must be open, by {@link System#nanoTime}; set once the connects have begun. */
    private long openByNanos;

    private final HashedWheelTimer timer = Deadlines.newTimer();
    private final Deadlines deadlines = new Deadlines(timer, System::nanoTime, Deadlines.DEFAULT_TICK);
    private final CommandChannel channel;
    /** A single I/O thread, so that a received message leads to an attempt without waking another thread. */
    private final EventLoopGroupProvider loops = new DefaultEventLoopGroupProvider(1);

    private final ClientResources resources;
    /**
     * Schedules short pauses; not on the driver's workers if those are shared, since the application may block them.
     */
    private final EventExecutorGroup pauses;

    private final RedisClient driver;
    /** Has connections that the driver above does not manage. */
    private @Nullable CompletionStage<Subscriptions> subscriptions;

    private Connections(Settings settings) {
        this.settings = settings;
        this.uri = RedisURI.builder(settings.redisUri())
                .withTimeout(settings.connectTimeout())
                .build();
        this.options = DriverOptions.of(settings.commandTimeout(), settings.connectTimeout(), settings.sslOptions());
        ClientResources shared = settings.clientResources();
        this.channel = new CommandChannel(shared == null ? new NettyCustomizer() {} : shared.nettyCustomizer());
        this.resources = resources(settings, timer, loops, channel);
        this.pauses = shared == null ? resources.eventExecutorGroup() : pauses();
        this.driver = RedisClient.create(resources, uri);
        driver.setOptions(options);
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
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> commands =
                driver.connectAsync(ByteArrayCodec.INSTANCE, uri);
        subscriptions = Subscriptions.connect(resources, options, uri, timer, PubSubSettings.defaults());
        // Not earlier: until here this thread itself used the time, perhaps to load the driver's classes.
        openByNanos = System.nanoTime() + settings.connectTimeout().toNanos();
        StatefulRedisConnection<byte[], byte[]> connection = await(commands);
        refuseCluster(connection);

        Kind plain = new PlainKind(settings.label());
        Session session = new Session(settings, deadlines, System::currentTimeMillis, pauses);
        RedisLink link = new RedisLink(connection, channel, plain.scripts(), deadlines, settings.commandTimeout());
        RedisHome home = new RedisHome(session, link, await(subscriptions));
        Client client = new Client(session, home, settings.driftAllowance(), settings.maxHold());
        await(client.start());
        return new ConnectedClient(client, this, plain, new FencedKind(settings.label()), settings.keyPrefix());
    }

    /** Closes everything, within a command timeout and {@link Shutdown#LONGEST_WAIT}. */
    void close(Client client) {
        Shutdown shutdown = new Shutdown()
                .run("the holds", client::close)
                .await("the subscriptions", () -> client.home().channels().closeAsync())
                .await("the command connection", () -> client.home().closeCommandsAsync())
                .run(
                        "the waits for a connection",
                        () -> client.home().connectionWait().close())
                .run("the handoffs", client::abandonHandoffs)
                .run("the callbacks", () -> client.session().callbacks().close())
                .run("the deadlines", deadlines::close);
        closeDriver(shutdown);
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
        closeDriver(shutdown);
    }

    /**
     * Stops the timer before the event loops, as the driver does with a timer of its own: a refused connection leaves
     * the timeout of its handshake behind, which would close it on a terminated loop, and log an error.
     */
    private void closeDriver(Shutdown shutdown) {
        shutdown.await("the timer", this::stopTimer);
        if (settings.clientResources() == null) {
            resources
                    .eventExecutorGroup()
                    .forEach(worker -> shutdown.awaitDriver("a worker", () -> finishBegun(worker)));
        } else {
            shutdown.awaitDriver("the pauses", () -> pauses.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS));
        }
        shutdown.await("the driver", () -> driver.shutdownAsync(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS))
                .awaitDriver("its resources", () -> resources.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS))
                .awaitDriver("its event loops", () -> loops.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS));
    }

    /** On a thread of its own, since it joins the timer's thread, which may be the one that closes the client. */
    private CompletionStage<?> stopTimer() {
        return CompletableFuture.runAsync(timer::stop, stop -> {
            Thread stopping = new Thread(stop, "holdfast-timer-stop");
            stopping.setDaemon(true);
            stopping.start();
        });
    }

    /**
     * Awaits the tasks that the timer submitted to a worker of the driver, such as a reconnect. Shared workers keep
     * running.
     */
    private static Future<?> finishBegun(EventExecutor worker) {
        return worker.submit(() -> {});
    }

    private static EventExecutorGroup pauses() {
        return new DefaultEventExecutorGroup(1, new DefaultThreadFactory("holdfast-pauses", true));
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

    private static ClientResources resources(
            Settings settings, HashedWheelTimer timer, EventLoopGroupProvider loops, NettyCustomizer channel) {
        NettyCustomizer limited = new ReconnectLimit(channel, settings.commandTimeout(), settings.connectTimeout());
        long longest = settings.reconnectDelay().toMillis();
        Supplier<Delay> delay = () -> Delay.equalJitter(0, Math.max(2, longest), 2, TimeUnit.MILLISECONDS);
        ClientResources shared = settings.clientResources();
        if (shared == null) {
            return DefaultClientResources.builder()
                    .timer(timer)
                    .eventLoopGroupProvider(loops)
                    .computationThreadPoolSize(2)
                    .reconnectDelay(delay)
                    .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                    .nettyCustomizer(limited)
                    .build();
        }
        // A shutdown of the copy leaves the resources it was given alone, and ends those it created itself.
        return shared.mutate()
                .eventLoopGroupProvider(shared.eventLoopGroupProvider())
                .eventExecutorGroup(shared.eventExecutorGroup())
                .timer(shared.timer())
                .commandLatencyRecorder(shared.commandLatencyRecorder())
                .reconnectDelay(delay)
                .nettyCustomizer(limited)
                .build();
    }
}
