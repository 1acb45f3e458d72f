package dev.holdfast.redis;

import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.Endpoint;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Bounds each attempt of the driver to reconnect. The driver bounds all attempts alike, by the connect timeout, which is made
 * for a process that starts. While leases run that is too long: an attempt that hangs keeps the driver from making another.
 * So the first attempt after a loss has one command timeout, and each that has run out of time gives the next one a command
 * timeout more, up to the connect timeout. A black hole costs little, and a server whose handshake is slow is reached.
 *
 * <p>An attempt that has had its time is given up by closing its channel, whatever it waits for: the socket, TLS or the
 * handshake. For the resources of one client.
 */
public final class ReconnectLimit implements NettyCustomizer {
    private final NettyCustomizer others;
    private final long commandTimeoutNanos;
    private final long connectTimeoutNanos;

    /** How many attempts of a connection have run out of time since it was last up; none for one never opened. */
    private final Map<Endpoint, Integer> givenUp = new ConcurrentHashMap<>();

    /** @param others what else is to be done to channels */
    public ReconnectLimit(NettyCustomizer others, Duration commandTimeout, Duration connectTimeout) {
        this.others = others;
        this.commandTimeoutNanos = commandTimeout.toNanos();
        this.connectTimeoutNanos = connectTimeout.toNanos();
    }

    /** {@return how long an attempt may take after so many that ran out of time, in nanoseconds} */
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

    @SuppressWarnings("FutureReturnValueIgnored") // the driver hears of a channel that was closed
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
