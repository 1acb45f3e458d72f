package dev.holdfast.internal.driver;

import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.util.HashedWheelTimer;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionFactory;

/** The driver alone, configured as a client configures it, on a server of its own; and the events it produced. */
public final class BareDriver implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final RedisServer server = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.inFrontOf(server);
    private final HashedWheelTimer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final List<Channel> channels = new CopyOnWriteArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final ClientResources resources;
    private final RedisClient client;

    public BareDriver() {
        this(customizer -> customizer);
    }

    /** @param customizer a customizer to apply to channels after they are recorded */
    public BareDriver(UnaryOperator<NettyCustomizer> customizer) {
        NettyCustomizer noting = new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                channels.add(channel);
            }
        };
        resources = ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .timer(timer)
                .reconnectDelay(Delay.constant(Duration.ofMillis(20)))
                .nettyCustomizer(customizer.apply(noting))
                .build();
        client = new NodeClient(resources);
        client.setOptions(DriverOptions.of(TIMEOUT, TIMEOUT, null));
    }

    RedisServer server() {
        return server;
    }

    FaultProxy proxy() {
        return proxy;
    }

    HashedWheelTimer timer() {
        return timer;
    }

    /** {@return the channels that were created, in order} */
    List<Channel> channels() {
        return channels;
    }

    Channel channel() {
        return channels.get(channels.size() - 1);
    }

    CommandHandler handler() {
        return channel().pipeline().get(CommandHandler.class);
    }

    /** {@return the connection events of the driver, and the entries that tests have added} */
    List<String> events() {
        return events;
    }

    void setOptions(ClientOptions options) {
        client.setOptions(options);
    }

    /** {@return a connection through the proxy that is being made} */
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connecting(Duration timeout) {
        RedisURI uri = RedisURI.create(proxy.uri());
        uri.setTimeout(timeout);
        return client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
    }

    /** {@return a connection through the proxy, whose events are recorded from now on} */
    StatefulRedisConnection<byte[], byte[]> connect() {
        return connect(TIMEOUT);
    }

    StatefulRedisConnection<byte[], byte[]> connect(Duration timeout) {
        StatefulRedisConnection<byte[], byte[]> connection = connecting(timeout)
                .orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                boolean onItsLoop = channel().eventLoop().inEventLoop();
                events.add("connected" + (connection.isOpen() ? "" : ", not open") + (onItsLoop ? "" : ", elsewhere"));
            }

            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                events.add("disconnected");
            }
        });
        return connection;
    }

    /** Waits until the driver has made another connection after the first {@code before} channels. */
    void awaitReconnected(int before) {
        patiently().until(() -> channels.size() > before && events.contains("connected"));
    }

    static ConditionFactory patiently() {
        return await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(10));
    }

    @Override
    public void close() {
        server.resume();
        proxy.heal();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        timer.stop();
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        proxy.close();
        server.close();
    }
}
