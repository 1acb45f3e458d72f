package dev.holdfast.internal.redis;

import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.Endpoint;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Bounds each attempt of the driver to reconnect. The driver bounds all attempts alike, by the connect timeout, which
 * is meant for the start of a process. While leases run that is too long, since an attempt that hangs keeps the driver
 * from making another. So the first attempt after a loss gets one command timeout, and after each attempt that timed
 * out the next one gets one command timeout more, up to the connect timeout. A black hole costs little time, and a
 * server with a slow handshake is still reached.
 *
 * <p>An attempt that timed out is ended by closing its channel, whatever it waits for: the socket, TLS or the
 * handshake. For the resources of one client.
 */
public final class ReconnectLimit implements NettyCustomizer {
    private final NettyCustomizer others;
    private final long commandTimeoutNanos;
    private final long connectTimeoutNanos;

    /**
     * The number of attempts that timed out since the connection was last up; no entry for one that was never opened.
     */
    private final Map<Endpoint, Integer> givenUp = Collections.synchronizedMap(new WeakHashMap<>());

    /** @param others a further customizer, called first */
    public ReconnectLimit(NettyCustomizer others, Duration commandTimeout, Duration connectTimeout) {
        this.others = others;
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
        if (handler == null || handshake == null) {
            return;
        }
        Endpoint connection = handler.getEndpoint();
        Integer before = givenUp.putIfAbsent(connection, 0);
        if (before != null) {
            limit(channel, connection, handshake.channelInitialized().toCompletableFuture(), before);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the driver detects the closed channel
    private void limit(Channel channel, Endpoint connection, CompletableFuture<Void> up, int before) {
        up.thenRun(() -> givenUp.put(connection, 0));
        Runnable giveUp = () -> {
            if (!up.isDone() && channel.isOpen()) {
                givenUp.put(connection, before + 1);
                channel.close();
            }
        };
        channel.eventLoop().schedule(giveUp, limitNanos(before), TimeUnit.NANOSECONDS);
    }
}
