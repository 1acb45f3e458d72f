package dev.holdfast.internal.redis;

import dev.holdfast.Patience;
import dev.holdfast.internal.driver.CommandChannels;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A link to a server of its own, and the events it published to its listener. */
final class TestLink implements RedisLink.Listener, AutoCloseable {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

    private final RedisServer server = RedisServer.start();
    private final HashedWheelTimer timer = Deadlines.newTimer();
    private final CommandChannels channels = new CommandChannels();
    private final ClientResources resources =
            ClientResources.builder().nettyCustomizer(channels).build();
    private final RedisClient client = RedisClient.create(resources, server.uri());
    private final RedisLink link;

    private CompletableFuture<?> started = new CompletableFuture<>();

    /** Sends the opening commands of the epochs to come. */
    volatile Consumer<Consumer<Call>> opening = first -> {};

    /** Runs as soon as an epoch is open. */
    volatile Runnable up = () -> {};

    TestLink(Script... scripts) {
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .build());
        link = new RedisLink(
                List.of(scripts),
                new Deadlines(timer, System::nanoTime, Deadlines.DEFAULT_TICK),
                COMMAND_TIMEOUT,
                new AtomicLong(),
                Routing.NONE,
                null);
    }

    /** Starts the link, and does not wait until it is up. */
    void begin() {
        StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
        started = link.start(connection, channels.of(connection), this).toCompletableFuture();
    }

    /** {@return completes when the link, which was started, is up for the first time} */
    CompletableFuture<?> started() {
        return started;
    }

    TestLink start() {
        begin();
        Patience.await().until(link::isUp);
        return this;
    }

    RedisLink link() {
        return link;
    }

    RedisServer server() {
        return server;
    }

    /** Sends the call that is made for a callback, and waits for its outcome. */
    Call completed(CallMaker maker) {
        CompletableFuture<Call> completed = new CompletableFuture<>();
        link.send(maker.make(completed::complete));
        return completed.orTimeout(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Makes a call. */
    @FunctionalInterface
    interface CallMaker {
        /** Makes the call for this callback. */
        Call make(Call.Callback caller);
    }

    @Override
    public void opening(Consumer<Call> first) {
        opening.accept(first);
    }

    @Override
    public void up() {
        up.run();
    }

    @Override
    public void down(Throwable why) {}

    @Override
    public void close() {
        link.closeAsync().toCompletableFuture().join();
        client.shutdown(Duration.ZERO, Duration.ZERO);
        resources.shutdown(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
        timer.stop();
        server.close();
    }
}
