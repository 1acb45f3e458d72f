package dev.holdfast.internal.driver;

import dev.holdfast.internal.redis.RedisLink;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.Endpoint;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bounds each attempt of the driver to reconnect, and reports why it has failed, which the driver only logs. The driver bounds
 * all attempts alike, by the connect timeout, which is meant for the start of a process. While leases run that is too long,
 * since an attempt that hangs keeps the driver from making another. So the first attempt after a loss gets one command timeout,
 * and after each attempt that timed out the next one gets one command timeout more, up to the connect timeout. A black hole
 * costs little time, and a server with a slow handshake is still reached.
 *
 * <p>An attempt that timed out is ended by closing its channel, whatever it waits for: the socket, TLS or the
 * handshake. Only one that waits for a name server ends when the driver's resolver gives up. For the resources of one client.
 */
public final class ReconnectLimit implements NettyCustomizer {
    private final NettyCustomizer others;
    private final long commandTimeoutNanos;
    private final long connectTimeoutNanos;
    private final BiConsumer<Object, Throwable> onFailure;

    /**
     * The number of attempts that timed out since the connection was last up; no entry for one that was never opened.
     */
    private final Map<Endpoint, Integer> givenUp = Collections.synchronizedMap(new WeakHashMap<>());

    /**
     * @param others a further customizer, called first
     * @param onFailure is called with the endpoint of a connection, as in {@link RedisLink#isOver}, and with the reason
     *     for which it could not be re-established; on the channel's event loop
     */
    public ReconnectLimit(
            NettyCustomizer others,
            Duration commandTimeout,
            Duration connectTimeout,
            BiConsumer<Object, Throwable> onFailure) {
        this.others = others;
        this.onFailure = onFailure;
        this.commandTimeoutNanos = commandTimeout.toNanos();
        this.connectTimeoutNanos = connectTimeout.toNanos();
    }

    /** {@return how long an attempt may take after this number of attempts that timed out, in nanoseconds} */
    long limitNanos(int givenUpBefore) {
        long attempts = givenUpBefore + 1L;
        return connectTimeoutNanos / attempts < commandTimeoutNanos
                ? connectTimeoutNanos
                : commandTimeoutNanos * attempts;
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        others.afterBootstrapInitialized(bootstrap);
    }

    /** On the channel's event loop, before it is connected. */
    @Override
    public void afterChannelInitialized(Channel channel) {
        others.afterChannelInitialized(channel);
        CommandHandler handler = channel.pipeline().get(CommandHandler.class);
        RedisHandshakeHandler handshake = channel.pipeline().get(RedisHandshakeHandler.class);
        if (handler == null || handshake == null || !channel.isOpen()) {
            return;
        }
        CompletableFuture<Void> up = handshake.channelInitialized().toCompletableFuture();
        channel.pipeline().addAfter(channel.pipeline().context(handshake).name(), null, new WhileOpen(up));
        Endpoint connection = handler.getEndpoint();
        Integer before = givenUp.putIfAbsent(connection, 0);
        if (before != null) {
            limit(channel, connection, up, before);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the driver detects the closed channel
    private void limit(Channel channel, Endpoint connection, CompletableFuture<Void> up, int before) {
        CompletableFuture<@Nullable Void> attempt = new CompletableFuture<>();
        attempt.whenComplete((done, failure) -> {
            if (failure == null) {
                givenUp.put(connection, 0);
            } else {
                onFailure.accept(connection, failure);
            }
        });
        up.whenComplete((done, failure) -> {
            if (failure == null) {
                attempt.complete(null);
            } else {
                attempt.completeExceptionally(failure);
            }
        });
        channel.pipeline().addFirst(new Connecting(attempt::completeExceptionally));
        long limitNanos = limitNanos(before);
        Runnable giveUp = () -> {
            if (!up.isDone() && channel.isOpen()) {
                givenUp.put(connection, before + 1);
                attempt.completeExceptionally(new TimeoutException(
                        "no answer to the handshake within " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms"));
                channel.close();
            }
        };
        channel.eventLoop().schedule(giveUp, limitNanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Does not announce a channel to the driver as active that has been closed, and fails its handshake instead. The driver takes a
     * handshake for successful whose last commands have failed, and they fail when the channel is closed between the replies. It
     * would make two attempts to reconnect for the one that has failed; and a first connect would fail, or not, with a connection
     * that is tried again for ever.
     *
     * <p>With credentials of a provider, the driver ends a handshake on another thread, and then may give a connection out before the
     * I/O thread processes that, or after the channel was closed. Such a channel is announced, closed as it is: without, the driver
     * would not make another.
     */
    private static final class WhileOpen extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<Void> up;
        private boolean announced;

        WhileOpen(CompletableFuture<Void> up) {
            this.up = up;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            boolean isOpen = context.channel().isActive();
            if (!isOpen) {
                up.completeExceptionally(new TimeoutException("the channel was closed during the handshake"));
            }
            announce(context, isOpen || isGivenOut());
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            announce(context, isGivenOut());
            context.fireChannelInactive();
        }

        private boolean isGivenOut() {
            return up.isDone() && !up.isCompletedExceptionally();
        }

        private void announce(ChannelHandlerContext context, boolean isWanted) {
            if (isWanted && !announced) {
                announced = true;
                context.fireChannelActive();
            }
        }
    }

    /** Observes the connect of the socket, after whose failure there is no handshake that could fail. */
    private static final class Connecting extends ChannelOutboundHandlerAdapter {
        private final Consumer<Throwable> failed;

        Connecting(Consumer<Throwable> failed) {
            this.failed = failed;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the promise is the caller's
        public void connect(
                ChannelHandlerContext context, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            promise.addListener(connected -> {
                if (!connected.isSuccess()) {
                    failed.accept(connected.cause());
                }
            });
            context.connect(remote, local, promise);
        }
    }
}
