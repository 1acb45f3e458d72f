package dev.holdfast.pubsub;

import static dev.holdfast.pubsub.Connected.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The driver's behaviour that the subscription connection relies on, one fact in each test. A driver that behaves
 * differently fails here, in the test named after the fact.
 */
@Tag("driver")
class LettucePubSubFactsTest {
    private static final StringCodec CODEC = StringCodec.UTF8;

    private final RedisServer server = RedisServer.builder().start();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final ClientResources resources = ClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .reconnectDelay(Delay.constant(Duration.ofMillis(20)))
            .build();
    private final Client client = new Client();

    @AfterEach
    void stop() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        resources.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        server.close();
    }

    private StatefulRedisPubSubConnection<String, String> connect() {
        StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub(CODEC);
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                note("connected");
            }

            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                note("disconnected");
            }
        });
        events.clear();
        threads.clear();
        return connection;
    }

    private void note(String what) {
        threads.add(Thread.currentThread());
        events.add(what);
    }

    private void awaitConnected() {
        await().atMost(TIMEOUT).until(() -> events.contains("connected"));
    }

    /** A connection works without the synchronous commands, which it then has not got. */
    @Test
    void synchronousCommands_areDispensable() {
        try (SubscriberClient subscriber =
                        new SubscriberClient(resources, ClientOptions.create(), RedisURI.create(server.uri()));
                StatefulRedisPubSubConnection<String, String> connection = subscriber.connectPubSub(CODEC)) {
            assertThat(connection.sync()).isNull();
            assertThat(connection.async().ping().toCompletableFuture().join()).isEqualTo("PONG");
        }
    }

    /**
     * The endpoint accepts commands when the driver resubscribes, which is before the connection is published; on one
     * thread.
     */
    @Test
    void reconnect_order() {
        connect();
        client.endpoint().disconnect();
        awaitConnected();

        assertThat(events).containsExactly("disconnected", "re-subscription", "connected");
        assertThat(threads.get(2)).isSameAs(threads.get(1));
        assertThat(threads.get(1).getName()).contains("EventLoop");
    }

    /** Disconnecting an endpoint closes its socket, and the driver connects again. */
    @Test
    void disconnect_reconnects() {
        StatefulRedisPubSubConnection<String, String> connection = connect();
        Object before = connection.sync().clientId();

        client.endpoint().disconnect();
        awaitConnected();

        assertThat(connection.sync().clientId()).isNotEqualTo(before);
    }

    /** The driver resubscribes only through the method that this library overrides. */
    @Test
    void reconnect_withoutResubscription_subscribesNothing() {
        StatefulRedisPubSubConnection<String, String> connection = connect();
        connection.sync().subscribe("a");
        client.endpoint().disconnect();
        awaitConnected();

        connection.sync().ping();

        assertThat(server.channels()).isEmpty();
    }

    /** A SUBSCRIBE in flight when the connection is lost fails, and is not sent on the next one. */
    @Test
    void subscribe_underWay_isNotSentAgain() {
        StatefulRedisPubSubConnection<String, String> connection = connect();
        server.pause();
        CompletableFuture<Void> subscribed = connection.async().subscribe("a").toCompletableFuture();
        client.endpoint().disconnect();
        assertThatThrownBy(() -> subscribed
                        .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                        .join())
                .hasMessageContaining("onnect");
        server.resume();
        awaitConnected();

        connection.sync().ping();

        // The server may still have the lost one in its buffers.
        await().atMost(TIMEOUT).until(() -> server.channels().isEmpty());
    }

    /** Of all behaviours while disconnected, only the one that rejects commands is accepted. */
    @Test
    void options_mustRejectCommands() {
        for (DisconnectedBehavior behavior : DisconnectedBehavior.values()) {
            ClientOptions options =
                    ClientOptions.builder().disconnectedBehavior(behavior).build();
            if (behavior == DisconnectedBehavior.REJECT_COMMANDS) {
                LettuceWire.requireNothingRepeated(options);
            } else {
                assertThatThrownBy(() -> LettuceWire.requireNothingRepeated(options))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("disconnectedBehavior=" + behavior);
            }
        }
    }

    /** Records when its endpoint is active, and when it would resubscribe; it does not. */
    private final class Client extends RedisClient {
        private volatile @Nullable PubSubEndpoint<?, ?> endpoint;

        Client() {
            super(resources, RedisURI.create(server.uri()));
            setOptions(Connected.options(ProtocolVersion.RESP3));
        }

        PubSubEndpoint<?, ?> endpoint() {
            return Objects.requireNonNull(endpoint, "no connection was created");
        }

        @Override
        protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
                PubSubEndpoint<K, V> pubSubEndpoint,
                RedisChannelWriter writer,
                RedisCodec<K, V> codec,
                Duration timeout) {
            endpoint = pubSubEndpoint;
            return new StatefulRedisPubSubConnectionImpl<>(pubSubEndpoint, writer, codec, timeout) {
                @Override
                protected List<RedisFuture<Void>> resubscribe() {
                    boolean taken = !async().ping().toCompletableFuture().isCompletedExceptionally();
                    note(taken ? "re-subscription" : "re-subscription, not active");
                    return List.of();
                }
            };
        }
    }
}
