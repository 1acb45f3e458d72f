package dev.holdfast.pubsub;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.PubSubOutput;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A subscription connection of Lettuce.
 *
 * <p>The future of a command is used only for its failure. A confirmed subscription is reported by the driver's
 * listener, with the name of the channel. One command names one channel, for the reason given at
 * {@link SubscriberConnection}; many commands are sent in one write.
 *
 * @see "SubscriptionsRedisTest, LettucePubSubFactsTest"
 */
final class LettuceWire implements Wire {
    private static final Logger log = LoggerFactory.getLogger(LettuceWire.class);

    private static final StringCodec CODEC = StringCodec.UTF8;
    private static final long SHUTDOWN_SECONDS = 2;

    private final SubscriberClient client;
    private final SubscriberConnection<String, String> connection;
    /** Written when the server has turned out to have another kind; commands of that are sent on the next connection. */
    private volatile ChannelKind kind;

    private final Events events;
    /** Written by the I/O thread, and by {@link #start} before the first report; writes are guarded by this. */
    private volatile boolean connected;
    /** Written by the I/O thread. */
    private volatile @Nullable String clientInfo;
    /** Whether a connection or its loss was reported; guarded by this. */
    private boolean reported;

    /** Guarded by this. */
    private @Nullable CompletionStage<Void> closing;

    private LettuceWire(
            SubscriberClient client, SubscriberConnection<String, String> connection, ChannelKind kind, Events events) {
        this.client = client;
        this.connection = connection;
        this.kind = kind;
        this.events = events;
    }

    /** {@return a function that creates a wire for the given events, once the connection is established} */
    static CompletionStage<Function<Events, Wire>> connect(
            ClientResources resources, ClientOptions options, RedisURI uri, ChannelKind kind) {
        requireNothingRepeated(options);
        SubscriberClient client = new SubscriberClient(resources, options, uri);
        return client.connectPubSubAsync(CODEC, uri)
                .thenApply(made -> (SubscriberConnection<String, String>) made)
                .<Function<Events, Wire>>thenApply(made -> events -> new LettuceWire(client, made, kind, events))
                .whenComplete((made, failure) -> {
                    if (failure != null) {
                        shutdown(client);
                    }
                });
    }

    static void requireNothingRepeated(ClientOptions options) {
        if (!options.isAutoReconnect()
                || options.getDisconnectedBehavior() != ClientOptions.DisconnectedBehavior.REJECT_COMMANDS) {
            throw new IllegalArgumentException(
                    "options must have auto-reconnect, and reject commands while disconnected, or commands of an earlier"
                            + " connection are repeated on a later one; was autoReconnect=" + options.isAutoReconnect()
                            + ", disconnectedBehavior=" + options.getDisconnectedBehavior());
        }
    }

    private static CompletionStage<Void> shutdown(SubscriberClient client) {
        return client.shutdownAsync(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void start() {
        connection.addListener(new Subscribed());
        connection.addListener(new Linked());
        synchronized (this) {
            if (reported || !connection.isUsable()) {
                return;
            }
            reported = true;
            connected = true;
        }
        askForInfo(); // The reply also identifies the I/O thread.
        events.connected();
    }

    /** {@return whether it was not reported before: {@link #start} and the I/O thread can both find the first connection} */
    private synchronized boolean report(boolean nowConnected) {
        boolean isNew = !reported || connected != nowConnected;
        reported = true;
        connected = nowConnected;
        return isNew;
    }

    @Override
    public @Nullable String clientInfo() {
        return clientInfo;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public void use(ChannelKind another) {
        if (kind != another) {
            kind = another;
            connection.disconnect();
        }
    }

    @Override
    public boolean isOver(Object endpoint) {
        return connection.getChannelWriter() == endpoint;
    }

    @Override
    public void subscribe(Collection<String> channels) {
        send(kind.subscribe(), channels, events::refused);
    }

    @Override
    public void unsubscribe(Collection<String> channels) {
        // A subscription that cannot be ended does no harm, since its messages are ignored. So it counts as ended.
        send(kind.unsubscribe(), channels, (channel, reply) -> {
            // A sharded channel whose slot has moved is not subscribed any more.
            boolean moved = String.valueOf(reply.getMessage()).startsWith("MOVED");
            log.atLevel(moved ? Level.DEBUG : Level.WARN)
                    .log("cannot unsubscribe from channel {}: {}", channel, reply.getMessage());
            events.unsubscribed(channel);
        });
    }

    private void send(CommandType type, Collection<String> channels, BiConsumer<String, Throwable> refused) {
        List<AsyncCommand<String, String, String>> commands = new ArrayList<>(channels.size());
        for (String channel : channels) {
            AsyncCommand<String, String, String> command = new AsyncCommand<>(
                    new Command<>(type, new PubSubOutput<>(CODEC), new CommandArgs<>(CODEC).addKey(channel)));
            command.onComplete((nothing, failure) -> {
                if (failure instanceof RedisCommandExecutionException) {
                    refused.accept(channel, failure);
                } else if (failure != null) {
                    reconnectAfter(type, failure);
                }
            });
            commands.add(command);
        }
        connection.dispatch(commands);
    }

    /**
     * Without a reply, the outcome of the command is unknown, so the connection is replaced. If it was lost already,
     * the failure is a consequence of that, and the driver reconnects anyway.
     */
    private void reconnectAfter(CommandType type, Throwable failure) {
        if (connected) {
            log.debug("{} failed without an answer", type, failure);
            connection.disconnect();
        }
    }

    /** The callback is attached before the command is sent, so that it runs on the I/O thread. */
    @Override
    public void ping() {
        AsyncCommand<String, String, String> ping =
                new AsyncCommand<>(new Command<>(CommandType.PING, new StatusOutput<>(CODEC)));
        ping.onComplete((pong, failure) -> {
            if (failure == null || failure instanceof RedisCommandExecutionException) {
                received();
            }
        });
        connection.dispatch(ping);
    }

    /** Before all subscriptions: with RESP2, the server refuses it after them. */
    private void askForInfo() {
        AsyncCommand<String, String, String> ask = new AsyncCommand<>(
                new Command<>(CommandType.CLIENT, new StatusOutput<>(CODEC), new CommandArgs<>(CODEC).add("INFO")));
        ask.onComplete((info, failure) -> {
            if (failure == null) {
                clientInfo = info;
            }
            if (failure == null || failure instanceof RedisCommandExecutionException) {
                received();
            }
        });
        connection.dispatch(ask);
    }

    private void received() {
        events.received();
    }

    @Override
    public void disconnect() {
        connection.disconnect();
    }

    /**
     * Closes the connection before the client: the driver waits on a worker thread for connections that it closes
     * together with its client, and shared resources that were shut down before have no worker threads.
     */
    @Override
    public synchronized CompletionStage<Void> close() {
        if (closing == null) {
            closing = connection
                    .closeAsync()
                    .handle((closed, failure) -> shutdown(client))
                    .thenCompose(Function.identity());
        }
        return closing;
    }

    /** Receives the driver's events of connections established and lost. */
    private final class Linked implements RedisConnectionStateListener {
        @Override
        public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
            if (report(true)) {
                askForInfo();
                events.connected();
            }
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
            report(false);
            clientInfo = null;
            events.disconnected();
        }
    }

    /** Receives the messages and confirmations of channels, which are all of one kind. */
    private final class Subscribed extends RedisPubSubAdapter<String, String> {
        @Override
        public void smessage(String channel, String message) {
            message(channel, message);
        }

        @Override
        public void ssubscribed(String channel, long count) {
            subscribed(channel, count);
        }

        @Override
        public void sunsubscribed(String channel, long count) {
            unsubscribed(channel, count);
        }

        @Override
        public void message(String channel, String message) {
            received();
            events.message(channel, message);
        }

        @Override
        public void subscribed(String channel, long count) {
            received();
            events.subscribed(channel);
        }

        @Override
        public void unsubscribed(String channel, long count) {
            received();
            events.unsubscribed(channel);
        }
    }
}
