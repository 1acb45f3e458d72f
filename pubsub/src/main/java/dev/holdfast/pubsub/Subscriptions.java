package dev.holdfast.pubsub;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.Timer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Any number of subscriptions over one connection of its own.
 *
 * <p>A channel is subscribed while there is a {@link Subscription} to it, and for the linger after that. After a
 * reconnect every such channel is subscribed again, and its waiters are woken, since messages in between are lost.
 * While there are waiters, the server is pinged; a connection without any reply is replaced.
 *
 * <p>Safe for use by several threads. Only {@link #close} blocks. Stages and waiters complete on the connection's I/O
 * thread, except on a close and where another waiter leaves: then they complete on the thread that makes that call.
 */
public final class Subscriptions implements AutoCloseable {
    private final ConcurrentMap<String, Channel> channels = new ConcurrentHashMap<>();
    /** Written once, when the connection is made. */
    private volatile Wire wire = Wire.NONE;

    private final Heartbeat heartbeat;
    private final Linger linger;
    private final AtomicInteger epoch = new AtomicInteger();

    /** By channel: the subscriptions that only find out whether the server knows subscriptions. */
    private final ConcurrentMap<String, CompletableFuture<Boolean>> probes = new ConcurrentHashMap<>();

    private volatile boolean closed;
    private volatile Runnable onConnected = () -> {};
    private volatile Runnable onDisconnected = () -> {};

    Subscriptions(Function<Wire.Events, Wire> attach, Timer timer, PubSubSettings settings) {
        this(timer, settings);
        connect(attach);
    }

    private Subscriptions(Timer timer, PubSubSettings settings) {
        this.heartbeat = new Heartbeat(timer, settings, () -> wire, this::isExpecting);
        this.linger = new Linger(timer, settings.linger(), this::advanceAll);
    }

    /**
     * {@return subscriptions that have no connection so far: channels are subscribed when it is {@linkplain #open made}}
     *
     * @param timer for the linger and for pings; outlives this object
     */
    public static Subscriptions unconnected(Timer timer, PubSubSettings settings) {
        return new Subscriptions(timer, settings);
    }

    /**
     * Connects what was created without a connection; to be called again if the stage fails, with the driver's
     * exception, and not after it has succeeded. Afterwards, if the connection is lost, the driver tries to reconnect until
     * it succeeds.
     *
     * @param resources the event loops to share; not shut down by {@link #close}
     * @param options with auto-reconnect, and commands rejected while disconnected
     * @return completes with whether the connection is used: it is closed if this object was closed before it was open
     * @throws IllegalArgumentException if the driver would repeat commands by itself with these {@code options}
     */
    public CompletionStage<Boolean> open(
            ClientResources resources, ClientOptions options, RedisURI uri, ChannelKind kind) {
        return LettuceWire.connect(resources, options, uri, kind).thenApply(this::connect);
    }

    /**
     * Uses this connection from now on. It is published before {@link #closed} is read, and a close sets that before it
     * reads the connection: so one of the two closes it, or both.
     *
     * @return whether it is used: otherwise this was closed before, and so is the connection
     */
    @SuppressWarnings("FutureReturnValueIgnored") // a close that has found no connection awaits none
    boolean connect(Function<Wire.Events, Wire> attach) {
        Wire made = attach.apply(new Listener());
        wire = made;
        if (closed) {
            made.close();
            return false;
        }
        made.start();
        return true;
    }

    /** {@return whether there is any subscription that was not closed} */
    public boolean isUsed() {
        return channels.values().stream().anyMatch(Channel::isUsed);
    }

    /**
     * Subscribes to {@code channel}, now or, if there is no connection, after the reconnect.
     *
     * @throws SubscriptionsClosedException if {@link #close} was called
     * @throws IllegalArgumentException if the name cannot be written in UTF-8
     */
    public Subscription subscribe(String channel) {
        return subscribe(channel, null);
    }

    /**
     * Subscribes to {@code channel} as {@link #subscribe(String)} does, and has its messages delivered.
     *
     * @param listener is called until the subscription is closed; a call that has begun before may still be running
     * @throws SubscriptionsClosedException if {@link #close} was called
     * @throws IllegalArgumentException if the name cannot be written in UTF-8
     */
    public Subscription subscribe(String channel, @Nullable ChannelListener listener) {
        Subscription subscription = retain(channel, listener);
        Channel retained = subscription.channel;
        if (closed) {
            retained.close(new SubscriptionsClosedException());
            channels.remove(channel, retained);
            throw new SubscriptionsClosedException();
        }
        advance(retained);
        return subscription;
    }

    /**
     * Subscribes to a channel and unsubscribes again, to find out whether the server knows subscriptions.
     *
     * @param channel that nobody is subscribed to
     * @return completes when the server has replied to both, or has refused the subscription, with whether it was confirmed;
     *     fails with {@link SubscriptionRefusedException} if the server does not know the command, and with {@link IOException}
     *     if the connection ends before the reply
     */
    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    public CompletionStage<Boolean> probe(String channel) {
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        probes.put(channel, known);
        Subscription probe = subscribe(channel);
        probe.confirmed().whenComplete((confirmed, refusal) -> {
            probe.closeAtOnce();
            if (refusal == null) {
                return;
            }
            if (String.valueOf(refusal.getMessage()).contains("unknown command")) {
                known.completeExceptionally(refusal);
            } else {
                known.complete(false);
            }
        });
        return known.whenComplete((confirmed, failure) -> {
            probes.remove(channel);
            probe.closeAtOnce();
        });
    }

    private Subscription retain(String name, @Nullable ChannelListener listener) {
        while (true) {
            Channel channel = channels.computeIfAbsent(name, Subscriptions::newChannel);
            Subscription added = new Subscription(this, channel, listener);
            if (channel.retain(added)) {
                return added;
            }
            channels.remove(name, channel);
        }
    }

    private static Channel newChannel(String name) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(
                    "a channel name must be writable in UTF-8, or no reply could be matched to it, was " + name);
        }
        return new Channel(name);
    }

    void release(Subscription ended) {
        linger.release(ended);
    }

    void releaseAtOnce(Subscription ended) {
        release(ended);
        ended.channel.endLinger();
        advance(ended.channel);
    }

    /** A waiter waits for a message of the server. */
    void watch() {
        heartbeat.start();
    }

    private boolean isExpecting() {
        return channels.values().stream().anyMatch(Channel::isExpecting);
    }

    private void advance(Channel channel) {
        advanceAll(List.of(channel));
    }

    /** Performs the next action of each channel; the commands of one type are sent together. */
    private void advanceAll(Collection<Channel> changed) {
        List<String> subscribe = new ArrayList<>();
        List<String> unsubscribe = new ArrayList<>();
        Wire present = wire;
        for (Channel channel : changed) {
            switch (channel.advance(present)) {
                case SUBSCRIBE -> subscribe.add(channel.name());
                case UNSUBSCRIBE -> unsubscribe.add(channel.name());
                case RETIRE -> channels.remove(channel.name(), channel);
                case NOTHING -> {}
            }
        }
        if (!unsubscribe.isEmpty()) {
            present.unsubscribe(unsubscribe);
        }
        if (!subscribe.isEmpty()) {
            present.subscribe(subscribe);
            heartbeat.start();
        }
    }

    /**
     * Sets the callbacks that run on the connection's I/O thread, whenever a connection is established from now on, and
     * whenever it is lost. They must neither block nor throw. Replaces earlier callbacks.
     */
    public void onChange(Runnable connected, Runnable disconnected) {
        onConnected = connected;
        onDisconnected = disconnected;
    }

    /**
     * Has channels be of this kind from now on. If that is another one, the connection is replaced, and they are subscribed
     * on the new one. Does nothing before there was a connection.
     */
    public void use(ChannelKind kind) {
        wire.use(kind);
    }

    /** {@return whether there is a connection, as far as this client knows} */
    public boolean isConnected() {
        return wire.isConnected();
    }

    /**
     * {@return what the server says of the present connection, in the words of CLIENT INFO; null if there is none, or no
     * reply so far, or the server refuses to say it}
     */
    public @Nullable String clientInfo() {
        return wire.clientInfo();
    }

    /** Closes the present connection, if there is one, so that the driver reconnects. */
    public void reconnect() {
        wire.disconnect();
    }

    /** {@return whether this is the driver's endpoint of the connection} */
    public boolean isOver(Object endpoint) {
        return wire.isOver(endpoint);
    }

    /** {@return how many connections have been established, including the first} */
    public int epoch() {
        return epoch.get();
    }

    /** {@return the number of channels that are subscribed, or are being subscribed or unsubscribed} */
    public int channels() {
        return channels.size();
    }

    /** {@return whether the server has confirmed a subscription to {@code channel} on the present connection} */
    public boolean isConfirmed(String channel) {
        Channel known = channels.get(channel);
        return known != null && known.isConfirmed();
    }

    /** {@return the number of waiters of all channels; iterates over every channel} */
    public int waiters() {
        return channels.values().stream().mapToInt(Channel::waiters).sum();
    }

    /**
     * Closes the connection. Waiters and unconfirmed subscriptions fail with {@link SubscriptionsClosedException}. A
     * connection that is still being made is closed when it has been, which is not awaited. May be called again.
     *
     * @return completes once all resources of the connection are released, or at once if there is none
     */
    public CompletionStage<Void> closeAsync() {
        closed = true;
        heartbeat.stop();
        linger.stop();
        RuntimeException reason = new SubscriptionsClosedException();
        for (Channel channel : channels.values()) {
            channel.close(reason);
        }
        channels.clear();
        return wire.close();
    }

    /** Closes the connection and waits until that is done; must not be called on an I/O thread of the driver. */
    @Override
    public void close() {
        closeAsync().toCompletableFuture().join();
    }

    /**
     * On the I/O thread. A name without a channel is that of a retired channel: a reply to a command that was sent too
     * late.
     */
    private final class Listener implements Wire.Events {
        @Override
        public void connected() {
            epoch.incrementAndGet();
            heartbeat.received();
            advanceAll(channels.values());
            onConnected.run();
        }

        @Override
        public void disconnected() {
            probes.values().forEach(probe -> probe.completeExceptionally(new IOException("the connection was closed")));
            channels.values().forEach(Channel::reset);
            advanceAll(channels.values());
            onDisconnected.run();
        }

        @Override
        public void subscribed(String name) {
            Channel channel = channels.get(name);
            if (channel == null) {
                wire.unsubscribe(List.of(name));
                return;
            }
            channel.subscribed();
            advance(channel);
        }

        @Override
        public void unsubscribed(String name) {
            Channel channel = channels.get(name);
            if (channel != null) {
                channel.unsubscribed();
                advance(channel);
            }
            CompletableFuture<Boolean> probe = probes.get(name);
            if (probe != null) {
                probe.complete(true);
            }
        }

        @Override
        public void message(String name, String message) {
            Channel channel = channels.get(name);
            if (channel != null) {
                channel.message(message);
            }
        }

        @Override
        public void refused(String name, Throwable reply) {
            Channel channel = channels.get(name);
            if (channel != null) {
                channel.refused(reply);
                advance(channel);
            }
        }

        @Override
        public void received() {
            heartbeat.received();
        }
    }
}
