package dev.holdfast.pubsub;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.Timer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Any number of subscriptions over one connection of its own.
 *
 * <p>A channel is subscribed while anybody holds a {@link Subscription} to it, and a little longer. After a reconnect
 * every such channel is subscribed anew, and its waiters are told to look, since messages in between are lost. While
 * anybody waits, the server is pinged; a connection that has fallen silent is replaced.
 *
 * <p>Safe for use by several threads. Nothing but {@link #close} blocks, and everything that completes does so on the
 * connection's I/O thread.
 */
public final class Subscriptions implements AutoCloseable {
    private final ConcurrentMap<String, Channel> channels = new ConcurrentHashMap<>();
    private final Wire wire;
    private final Heartbeat heartbeat;
    private final Linger linger;
    private final AtomicInteger epoch = new AtomicInteger();
    private volatile boolean closed;
    private volatile Runnable onConnected = () -> {};
    private volatile Runnable onDisconnected = () -> {};

    Subscriptions(Function<Wire.Events, Wire> attach, Timer timer, PubSubSettings settings) {
        this.wire = attach.apply(new Listener());
        this.heartbeat = new Heartbeat(timer, settings, wire, this::isExpecting);
        this.linger = new Linger(timer, settings.linger(), this::advanceAll);
        wire.start();
    }

    /**
     * Connects. The stage fails with the driver's exception if that does not succeed; afterwards a lost connection is
     * remade for as long as it takes.
     *
     * @param resources the event loops to share; not shut down by {@link #close}
     * @param options with auto-reconnect, and commands rejected while disconnected
     * @param timer for the linger and for pings; outlives this object
     * @throws IllegalArgumentException if {@code options} would repeat commands by themselves
     */
    public static CompletionStage<Subscriptions> connect(
            ClientResources resources, ClientOptions options, RedisURI uri, Timer timer, PubSubSettings settings) {
        return LettuceWire.connect(resources, options, uri)
                .thenApply(attach -> new Subscriptions(attach, timer, settings));
    }

    /**
     * Subscribes to {@code channel}, now or, if there is no connection, once there is one again.
     *
     * @throws SubscriptionsClosedException if {@link #close} was called
     * @throws IllegalArgumentException if the name cannot be written in UTF-8
     */
    public Subscription subscribe(String channel) {
        Channel retained = retain(channel);
        if (closed) {
            retained.close(new SubscriptionsClosedException());
            channels.remove(channel, retained);
            throw new SubscriptionsClosedException();
        }
        advance(retained);
        return new Subscription(this, retained);
    }

    private Channel retain(String name) {
        while (true) {
            Channel channel = channels.computeIfAbsent(name, Subscriptions::newChannel);
            if (channel.retain()) {
                return channel;
            }
            channels.remove(name, channel);
        }
    }

    private static Channel newChannel(String name) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(
                    "a channel name must be writable in UTF-8, or no answer could be told to be for it, was " + name);
        }
        return new Channel(name);
    }

    void release(Channel channel) {
        linger.release(channel);
    }

    /** Somebody waits for the server. */
    void watch() {
        heartbeat.start();
    }

    private boolean isExpecting() {
        return channels.values().stream().anyMatch(Channel::isExpecting);
    }

    private void advance(Channel channel) {
        advanceAll(List.of(channel));
    }

    /** Takes each channel its next step; what is to be sent goes out in one piece. */
    private void advanceAll(Collection<Channel> some) {
        List<String> subscribe = new ArrayList<>();
        List<String> unsubscribe = new ArrayList<>();
        for (Channel channel : some) {
            switch (channel.advance(wire)) {
                case SUBSCRIBE -> subscribe.add(channel.name());
                case UNSUBSCRIBE -> unsubscribe.add(channel.name());
                case RETIRE -> {
                    channels.remove(channel.name(), channel);
                    // Nobody should be left in line; but if so, better one try in vain than a sleep for ever.
                    channel.semaphore().wakeAll();
                }
                case NOTHING -> {}
            }
        }
        if (!unsubscribe.isEmpty()) {
            wire.unsubscribe(unsubscribe);
        }
        if (!subscribe.isEmpty()) {
            wire.subscribe(subscribe);
            heartbeat.start();
        }
    }

    /**
     * Has these called, on the connection's I/O thread, whenever a connection is there from now on, and whenever it is lost. They
     * must not block, nor throw. Replaces what was given before.
     */
    public void onChange(Runnable connected, Runnable disconnected) {
        onConnected = connected;
        onDisconnected = disconnected;
    }

    /** {@return whether there is a connection, as far as is known} */
    public boolean isConnected() {
        return wire.isConnected();
    }

    /** {@return whether the calling thread is the one that hears the server, and so must not wait for it} */
    public boolean isIoThread() {
        return wire.isIoThread();
    }

    /** {@return how many connections have been made, the first included} */
    public int epoch() {
        return epoch.get();
    }

    /** {@return the number of channels that are subscribed, or on their way in or out} */
    public int channels() {
        return channels.size();
    }

    /** {@return whether the server has confirmed a subscription to {@code channel} on the connection there is now} */
    public boolean isConfirmed(String channel) {
        Channel known = channels.get(channel);
        return known != null && known.isConfirmed();
    }

    /** {@return how many subscriptions to {@code channel} there are; one that only lingers has none} */
    public int subscriptions(String channel) {
        Channel known = channels.get(channel);
        return known == null ? 0 : known.subscriptions();
    }

    /** {@return the number of waiters in all lines; costs a look at every channel} */
    public int waiters() {
        return channels.values().stream()
                .mapToInt(channel -> channel.semaphore().waiting())
                .sum();
    }

    /**
     * Closes the connection. Waiters and unconfirmed subscriptions fail with {@link SubscriptionsClosedException}.
     *
     * @return done once nothing of it is left; the same as before when called again
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

    /** On the I/O thread. A name without a channel is one that was retired: an answer to a command sent too late. */
    private final class Listener implements Wire.Events {
        @Override
        public void connected() {
            epoch.incrementAndGet();
            heartbeat.heard();
            advanceAll(channels.values());
            onConnected.run();
        }

        @Override
        public void disconnected() {
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
        }

        @Override
        public void message(String name) {
            Channel channel = channels.get(name);
            if (channel != null) {
                channel.message();
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
        public void heard() {
            heartbeat.heard();
        }
    }
}
