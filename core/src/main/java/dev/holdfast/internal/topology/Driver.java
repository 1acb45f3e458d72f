package dev.holdfast.internal.topology;

import dev.holdfast.LockException;
import dev.holdfast.internal.driver.CommandChannels;
import dev.holdfast.internal.driver.DriverOptions;
import dev.holdfast.internal.driver.NodeClient;
import dev.holdfast.internal.driver.NodeConnection;
import dev.holdfast.internal.driver.ReconnectDelay;
import dev.holdfast.internal.driver.ReconnectLimit;
import dev.holdfast.internal.kind.Kinds;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.redis.Script;
import dev.holdfast.internal.session.AdvancedTime;
import dev.holdfast.internal.session.ServerUris;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.pubsub.ChannelKind;
import dev.holdfast.pubsub.PubSubSettings;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import dev.holdfast.watchdog.Deadlines;
import dev.holdfast.watchdog.TimerThreads;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
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
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of a client have in common: a timer, and the driver with its event loops. It opens connections to
 * any Redis node, with the credentials and the options of the client. See {@link DriverOptions} for the configuration
 * of the driver, and {@link ReconnectLimit} for its reconnects.
 *
 * @see "SharedResourcesTest, LostReasonTest"
 */
public final class Driver {
    private static final long SHUTDOWN_SECONDS = 2;

    /** What the driver says if it has lost the reason of a failure, or perhaps has. */
    private static final Set<String> REASON_LOST =
            Set.of("RedisHandshakeHandler not registered", "Connection closed prematurely");

    /** What Redis does not accept in the name of a connection. */
    private static final Pattern NO_NAME = Pattern.compile("[^!-~]");

    private final Settings settings;
    /** As the user gave them; their timeout is the driver's timeout for the handshake. */
    private final List<RedisURI> uris;

    private final ClientOptions options;
    private final HashedWheelTimer timer = Deadlines.newTimer();
    private final Deadlines deadlines;
    private final List<Script> scripts;

    /** The number of the latest epoch of all links of the client. */
    private final AtomicLong epochs = new AtomicLong();

    private final CommandChannels channels;
    /** A single I/O thread, so that a received message leads to an attempt without waking another thread. */
    private final EventLoopGroupProvider loops = new DefaultEventLoopGroupProvider(1);

    private final ClientResources resources;
    /**
     * Schedules short pauses; not on the driver's workers if those are shared, since the application may block them.
     */
    private final EventExecutorGroup pauses;

    /** Is called with the endpoint of a connection that could not be made again, and with the reason. */
    private volatile BiConsumer<Object, Throwable> onReconnectFailed = (endpoint, why) -> {};

    /** The connections of subscriptions are not managed by it. */
    private final RedisClient client;

    public Driver(Settings settings) {
        this.settings = settings;
        this.scripts = new Kinds(settings.label()).scripts();
        AdvancedTime time = settings.time();
        this.deadlines = new Deadlines(timer, time == null ? System::nanoTime : time::nanoTime, Deadlines.DEFAULT_TICK);
        if (time != null) {
            time.afterAdvance(deadlines::rearm);
        }
        this.uris = settings.redisUris().stream().map(this::timed).toList();
        this.options = DriverOptions.of(settings.commandTimeout(), settings.connectTimeout(), settings.sslOptions());
        ClientResources shared = settings.clientResources();
        this.channels = shared == null ? new CommandChannels() : new CommandChannels(shared.nettyCustomizer());
        this.resources = resources(settings, timer, loops, channels, this::reconnectFailed);
        this.pauses = shared == null ? resources.eventExecutorGroup() : ownPauses();
        this.client = new NodeClient(resources);
        client.setOptions(options);
    }

    /** {@return a URI with the timeout that bounds the handshake, and a name; for sentinels, it is the same object} */
    private RedisURI timed(RedisURI uri) {
        return ServerUris.isSentinel(uri) ? uri : timed(RedisURI.builder(uri), uri.getClientName());
    }

    /** @param name of the connection, as the user gave it; null for the label */
    private RedisURI timed(RedisURI.Builder uri, @Nullable String name) {
        String label = settings.label();
        if (name != null) {
            uri.withClientName(name);
        } else if (label != null) {
            uri.withClientName(NO_NAME.matcher(label).replaceAll("_"));
        }
        return uri.withTimeout(settings.connectTimeout()).build();
    }

    private void reconnectFailed(Object endpoint, Throwable why) {
        onReconnectFailed.accept(endpoint, why);
    }

    /**
     * Sets what is called when a connection could not be made again, with its endpoint and the reason, on the I/O thread.
     * Replaces what was set before.
     */
    public void onReconnectFailed(BiConsumer<Object, Throwable> listener) {
        onReconnectFailed = listener;
    }

    /** {@return the addresses that the user gave, with the credentials} */
    List<RedisURI> uris() {
        return uris;
    }

    /** {@return a link without a connection so far} */
    RedisLink newLink(Deadlines deadlines, Routing routing) {
        return new RedisLink(scripts, deadlines, settings.commandTimeout(), epochs, routing, settings.replication());
    }

    /** {@return whether the thread that asks reads replies or messages of the client} */
    public BooleanSupplier onIoThread() {
        return channels::isIoThread;
    }

    public Deadlines deadlines() {
        return deadlines;
    }

    public EventExecutorGroup pauses() {
        return pauses;
    }

    CompletionStage<NodeConnection> connect(NodeAddress node) {
        return connect(uriOf(node));
    }

    CompletionStage<NodeConnection> connect(RedisURI node) {
        return connected(() -> client.connectAsync(ByteArrayCodec.INSTANCE, node))
                .thenCompose(channels::usable)
                .thenApply(connection -> new NodeConnection(connection, channels));
    }

    /**
     * Connects once more if the driver may have lost the reason why the first connection has failed. It looks for the
     * handshake in the channel, and finds nothing if the server's refusal has closed that before. And it may receive
     * the refusal on a thread of the common pool, where it resolves the credentials of a user's provider: that thread
     * closes the channel and then records the refusal, and the I/O thread may be faster to record that the channel was closed.
     */
    static <T> CompletionStage<T> connected(Supplier<? extends CompletionStage<T>> attempt) {
        return attempt.get()
                .toCompletableFuture() // the driver's own stage does not compose
                .exceptionallyCompose(
                        failure -> isReasonLost(failure) ? attempt.get() : CompletableFuture.failedStage(failure));
    }

    private static boolean isReasonLost(Throwable failure) {
        return REASON_LOST.contains(Opening.reason(Opening.root(failure)));
    }

    /** {@return the addresses of the nodes of a cluster that the user named} */
    List<NodeAddress> seeds() {
        return settings.redisUris().stream()
                .map(uri -> new NodeAddress(uri.getHost(), uri.getPort()))
                .toList();
    }

    /** {@return this node, to be connected with the credentials and the security that the user gave} */
    RedisURI uriOf(NodeAddress node) {
        return at(RedisURI.builder(settings.redisUri()), node.host(), node.port());
    }

    /** {@return this sentinel, to be connected with its own credentials and the security that the user gave} */
    RedisURI uriOfSentinel(RedisURI sentinel) {
        return at(RedisURI.builder(sentinel).withSsl(settings.redisUri()), sentinel.getHost(), sentinel.getPort());
    }

    private RedisURI at(RedisURI.Builder credentials, String host, int port) {
        return timed(
                credentials.withHost(host).withPort(port), settings.redisUri().getClientName());
    }

    /** {@return subscriptions that are connected later, by {@link #open}} */
    Subscriptions unconnected() {
        return Subscriptions.unconnected(timer, PubSubSettings.defaults());
    }

    /** Connects subscriptions to plain channels. */
    CompletionStage<Boolean> open(Subscriptions unconnected, RedisURI server) {
        return unconnected.open(resources, options, server, ChannelKind.PLAIN);
    }

    /**
     * Subscribes once, to a channel of this client: a proxy may have commands, and no subscriptions, by which waiters are notified
     * that a lock is free.
     *
     * @return completes when the server has replied, even if the right to that channel is missing; fails with {@link
     *     LockException} if it does not know subscriptions
     */
    CompletionStage<Boolean> probe(Subscriptions connected, String place, String channel) {
        return connected.probe(channel).exceptionallyCompose(failure -> {
            Throwable root = Opening.root(failure);
            return root instanceof SubscriptionsClosedException
                    ? CompletableFuture.failedStage(root)
                    : CompletableFuture.failedStage(new LockException(
                            "Redis at " + place
                                    + " does not know the command SUBSCRIBE, by which callers wait for a lock, or"
                                    + " closes the connection on it; is there a proxy before it that has no subscriptions? ("
                                    + Opening.reason(root) + ")",
                            null));
        });
    }

    CompletionStage<Boolean> open(Subscriptions unconnected, NodeAddress node, ChannelKind kind) {
        return unconnected.open(resources, options, uriOf(node), kind);
    }

    /**
     * Stops the timer before the event loops, as the driver does with a timer of its own: a refused connection leaves
     * the timeout of its handshake behind, which would close it on a terminated loop, and log an error.
     */
    public void close(Shutdown shutdown) {
        channels.close();
        shutdown.await("the timer", this::stopTimer);
        if (settings.clientResources() == null) {
            resources
                    .eventExecutorGroup()
                    .forEach(worker -> shutdown.awaitDriver("a worker", () -> finishBegun(worker)));
        } else {
            shutdown.awaitDriver("the pauses", () -> pauses.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS));
        }
        shutdown.await("the driver", () -> client.shutdownAsync(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS))
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

    private static EventExecutorGroup ownPauses() {
        return new DefaultEventExecutorGroup(1, new TimerThreads("holdfast-pauses"));
    }

    private static ClientResources resources(
            Settings settings,
            HashedWheelTimer timer,
            EventLoopGroupProvider loops,
            NettyCustomizer channel,
            BiConsumer<Object, Throwable> reconnectFailed) {
        NettyCustomizer limited =
                new ReconnectLimit(channel, settings.commandTimeout(), settings.connectTimeout(), reconnectFailed);
        Delay delay = new ReconnectDelay(settings.reconnectDelay());
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
