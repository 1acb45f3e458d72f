package dev.holdfast.internal.driver;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.Endpoint;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Captures the channels of the driver's connections, which the driver does not expose, and closes those that are left when
 * the client closes. A connection has one channel after the other, never two at once, and the same endpoint all the time; so the
 * latest channel of that endpoint is the one that was connected last. For the resources of one client.
 */
public final class CommandChannels implements NettyCustomizer {
    private final NettyCustomizer users;

    /** The event loops of all channels so far: few, since a loop serves many. */
    private final Set<EventLoop> loops = new CopyOnWriteArraySet<>();

    /** A channel refers to its endpoint, so neither may be kept from here. */
    private final Map<Endpoint, WeakReference<Channel>> latest = Collections.synchronizedMap(new WeakHashMap<>());

    /** A channel that is added after the group was closed is closed at once. */
    private final ChannelGroup open = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);

    public CommandChannels() {
        this(new NettyCustomizer() {});
    }

    /** @param users a further customizer, called first */
    public CommandChannels(NettyCustomizer users) {
        this.users = users;
    }

    /**
     * {@return the latest channel of a connection, each time it is asked for}
     *
     * @param connection of a driver's client with these resources, without command listeners and timeouts
     */
    public Supplier<Channel> of(StatefulConnection<?, ?> connection) {
        RedisChannelWriter writer = ((RedisChannelHandler<?, ?>) connection).getChannelWriter();
        if (!(writer instanceof Endpoint endpoint)) {
            throw new IllegalStateException(
                    "a connection must write to its endpoint, without timeouts or listeners between, was " + writer);
        }
        return () -> latest(endpoint);
    }

    /**
     * {@return a new connection, once its I/O thread has processed the end of its handshake} If its credentials are a provider's, the
     * driver may give it out before that, on another thread, and rejects commands until then.
     */
    public <C extends StatefulConnection<?, ?>> CompletionStage<C> usable(C connection) {
        return CompletableFuture.supplyAsync(
                () -> connection, of(connection).get().eventLoop());
    }

    private Channel latest(Endpoint endpoint) {
        WeakReference<Channel> known = latest.get(endpoint);
        Channel channel = known == null ? null : known.get();
        if (channel == null) {
            throw new IllegalStateException("a connection's client resources must have this customizer");
        }
        return channel;
    }

    /**
     * {@return whether the calling thread reads replies or messages of the client, and so must not block} Also while no
     * connection of it is open there: one may be opened again.
     */
    public boolean isIoThread() {
        for (EventLoop loop : loops) {
            if (loop.inEventLoop()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Closes the channels of connections that are still being made, which the driver does not know yet, and of those that are
     * begun from now on. Not all of them end with their event loop.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // an event loop that is shut down executes what was submitted before
    public void close() {
        open.close();
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        users.afterBootstrapInitialized(bootstrap);
    }

    /**
     * Refuses a second channel of a connection whose latest one is open, or closed and not unregistered yet. The driver can make two
     * attempts to reconnect for one that has failed, if its event loop is held up at that moment, and would use one of the two
     * connections; and a channel that ends on another event loop than its successor's would end that in the driver's view, after
     * which each further one was refused.
     */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the driver detects the closed channel
    public void afterChannelInitialized(Channel channel) {
        users.afterChannelInitialized(channel);
        loops.add(channel.eventLoop());
        @Nullable CommandHandler handler = channel.pipeline().get(CommandHandler.class);
        if (handler != null && !replacesLatest(handler.getEndpoint(), channel)) {
            channel.close();
            return;
        }
        open.add(channel);
    }

    private boolean replacesLatest(Endpoint endpoint, Channel channel) {
        WeakReference<Channel> kept = latest.compute(endpoint, (connection, before) -> {
            Channel known = before == null ? null : before.get();
            return before != null && known != null && (known.isOpen() || known.isRegistered())
                    ? before
                    : new WeakReference<>(channel);
        });
        return kept.refersTo(channel);
    }
}
