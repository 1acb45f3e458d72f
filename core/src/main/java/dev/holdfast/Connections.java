package dev.holdfast;

import dev.holdfast.pubsub.PubSubSettings;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.redis.CommandChannel;
import dev.holdfast.redis.RedisLink;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client has open: a timer, the driver with its event loops, the command connection and the subscriptions. Opened
 * together or not at all.
 *
 * <p>The driver is set up so that it never decides by itself to send a command again: in flight when a connection dies, it
 * fails. Its own timeouts are off, since ours decide. It reconnects for as long as it takes, and soon. It need not find a
 * command among those in flight by anything but their order, so it keeps no index of them.
 */
final class Connections {
    /** What a socket's set-up, a handshake and a first question may take together, in command timeouts. */
    private static final int OPENING_TIMEOUTS = 3;

    private static final long SHUTDOWN_SECONDS = 2;

    private final Settings settings;
    private final RedisURI uri;
    private final HashedWheelTimer timer = Deadlines.newTimer();
    private final Deadlines deadlines = new Deadlines(timer, System::nanoTime, Deadlines.DEFAULT_TICK);
    private final CommandChannel channel;
    /** The only I/O thread, so that a message heard is answered by a try without waking another one. */
    private final EventLoopGroupProvider loops = new DefaultEventLoopGroupProvider(1);

    private final ClientResources resources;
    private final RedisClient client;
    /** Has connections that the client above does not know of. */
    private @Nullable CompletionStage<Subscriptions> subscriptions;

    private Connections(Settings settings) {
        this.settings = settings;
        this.uri = RedisURI.builder(settings.redisUri())
                .withTimeout(settings.commandTimeout())
                .build();
        ClientResources shared = settings.clientResources();
        this.channel = new CommandChannel(shared == null ? new NettyCustomizer() {} : shared.nettyCustomizer());
        this.resources = resources(settings, timer, loops, channel);
        this.client = RedisClient.create(resources, uri);
        client.setOptions(options(settings.commandTimeout()));
    }

    /** Connects a client with these settings, or leaves nothing open. */
    static Holdfast open(Settings settings) {
        Connections connections = new Connections(settings);
        try {
            return connections.open();
        } catch (RuntimeException e) {
            connections.abandonSubscriptions();
            connections.shutDown();
            throw e instanceof LockException ? e : connections.cannotConnect(e);
        }
    }

    private Holdfast open() {
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> commands =
                client.connectAsync(ByteArrayCodec.INSTANCE, uri);
        subscriptions = Subscriptions.connect(
                resources, options(settings.commandTimeout()), uri, timer, PubSubSettings.defaults());
        StatefulRedisConnection<byte[], byte[]> connection = await(commands);
        refuseCluster(connection);

        LockKind plain = new PlainLock(settings.label());
        Engine engine = new Engine(settings, deadlines, resources.eventExecutorGroup());
        RedisLink link =
                new RedisLink(connection, channel, plain.scripts(), deadlines, settings.commandTimeout(), engine);
        engine.connect(link, await(subscriptions));
        await(link.start());
        return new Holdfast(engine, this, plain, new FencedKind(settings.label()), settings.keyPrefix());
    }

    /** Closes everything. What is closed first may still use the rest. */
    void close(Engine engine) {
        engine.close();
        engine.channels().close();
        engine.link().close();
        engine.outage().close();
        engine.queues().all().forEach(queue -> queue.ours().abandon());
        deadlines.close();
        shutDown();
    }

    /** Sees them closed before the event loops that close them are gone. */
    private void abandonSubscriptions() {
        if (subscriptions != null) {
            CompletionStage<?> gone = subscriptions.thenCompose(Subscriptions::closeAsync);
            Waits.atMost(gone.toCompletableFuture(), settings.commandTimeout());
        }
    }

    /**
     * The timer stops before the event loops, as the driver has it with a timer of its own: a connection that was refused leaves
     * the timeout of its handshake behind, which would close it on a loop that is gone, and log an error. It cannot be stopped on its
     * own thread; the loops end all the same.
     */
    private void shutDown() {
        try {
            timer.stop();
            finishBegun();
        } finally {
            client.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
            resources.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
            loops.shutdown(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

    /** Lets the driver's workers end what the timer gave them last, such as a reconnect. Loops that are shared stay for that. */
    private void finishBegun() {
        if (settings.clientResources() == null) {
            resources.eventExecutorGroup().forEach(worker -> worker.submit(() -> {})
                    .awaitUninterruptibly(SHUTDOWN_SECONDS, TimeUnit.SECONDS));
        }
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
        CompletableFuture<T> bounded = opening.toCompletableFuture()
                .copy()
                .orTimeout(settings.commandTimeout().toMillis() * OPENING_TIMEOUTS, TimeUnit.MILLISECONDS);
        try {
            return Waits.forResult(bounded);
        } catch (LockException e) {
            Throwable root = e;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            throw cannotConnect(root);
        }
    }

    private LockException cannotConnect(Throwable why) {
        return new LockException("cannot connect to Redis at " + place() + ": " + why.getMessage(), why);
    }

    /** Where Redis is, without the credentials that its URI may have. */
    private String place() {
        return uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket();
    }

    private static ClientResources resources(
            Settings settings, HashedWheelTimer timer, EventLoopGroupProvider loops, NettyCustomizer channel) {
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
                    .nettyCustomizer(channel)
                    .build();
        }
        // What is given to the copy stays as it is when that is shut down; what it has made itself ends.
        return shared.mutate()
                .eventLoopGroupProvider(shared.eventLoopGroupProvider())
                .eventExecutorGroup(shared.eventExecutorGroup())
                .timer(shared.timer())
                .commandLatencyRecorder(shared.commandLatencyRecorder())
                .reconnectDelay(delay)
                .nettyCustomizer(channel)
                .build();
    }

    private static ClientOptions options(Duration commandTimeout) {
        SocketOptions.Builder socket =
                SocketOptions.builder().connectTimeout(commandTimeout).keepAlive(true);
        if (EpollProvider.isAvailable()) {
            socket.tcpUserTimeout(SocketOptions.TcpUserTimeoutOptions.builder()
                    .enable(true)
                    .tcpUserTimeout(commandTimeout)
                    .build());
        }
        return ClientOptions.builder()
                .autoReconnect(true)
                .useHashIndexQueue(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(socket.build())
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .build();
    }
}
