package dev.holdfast.pubsub;

import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Subscriptions on a real server, with short times and all that a client would provide around them. */
final class Connected implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(15);

    /**
     * Short times, for events that a test has to wait for; the limit of silence is generous, since machines are slow at
     * times.
     */
    static final PubSubSettings HASTY =
            new PubSubSettings(Duration.ofMillis(20), Duration.ofMillis(100), Duration.ofSeconds(1));

    private final ClientResources resources = ClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .reconnectDelay(Delay.constant(Duration.ofMillis(20)))
            .build();
    private final Timer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final Subscriptions subscriptions;

    private Connected(RedisURI uri, ProtocolVersion protocol, PubSubSettings settings) {
        uri.setTimeout(TIMEOUT);
        try {
            this.subscriptions = Subscriptions.unconnected(timer, settings);
            get(subscriptions.open(resources, options(protocol), uri, ChannelKind.PLAIN));
        } catch (RuntimeException e) {
            release();
            throw e;
        }
    }

    static Connected to(RedisServer server) {
        return to(server, ProtocolVersion.RESP3);
    }

    static Connected to(RedisServer server, ProtocolVersion protocol) {
        return to(RedisURI.create(server.uri()), protocol, HASTY);
    }

    static Connected to(RedisURI uri, ProtocolVersion protocol, PubSubSettings settings) {
        return new Connected(uri, protocol, settings);
    }

    static ClientOptions options(ProtocolVersion protocol) {
        return ClientOptions.builder()
                .protocolVersion(protocol)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .build();
    }

    Subscriptions subscriptions() {
        return subscriptions;
    }

    /** {@return a subscription that the server has confirmed, with nothing stored} */
    Subscription confirmed(String channel) {
        Subscription subscription = subscriptions.subscribe(channel);
        get(subscription.confirmed());
        subscription.drain();
        return subscription;
    }

    /** Waits for the stage and {@return its value}. */
    static <T extends @Nullable Object> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    /** Waits until no channel is subscribed any more, in the client and on the server. */
    void awaitNothingSubscribed(RedisServer server) {
        await().atMost(TIMEOUT)
                .until(() -> subscriptions.channels() == 0 && server.channels().isEmpty());
    }

    @Override
    public void close() {
        subscriptions.close();
        release();
    }

    private void release() {
        timer.stop();
        resources.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
