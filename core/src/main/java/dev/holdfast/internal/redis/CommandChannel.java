package dev.holdfast.internal.redis;

import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Captures the channel of the driver's command connection, which the driver does not expose. The driver opens one after
 * the other, so the latest is the one that was connected last. For the resources of one client, which has one such
 * connection; the channels of its subscriptions are ignored.
 */
public final class CommandChannel implements NettyCustomizer {
    private final NettyCustomizer users;
    private volatile @Nullable Channel latest;

    /** @param users a further customizer, called first */
    public CommandChannel(NettyCustomizer users) {
        this.users = users;
    }

    Channel latest() {
        Channel known = latest;
        if (known == null) {
            throw new IllegalStateException("a channel's client resources must have this customizer");
        }
        return known;
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        users.afterBootstrapInitialized(bootstrap);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        users.afterChannelInitialized(channel);
        CommandHandler handler = channel.pipeline().get(CommandHandler.class);
        if (handler != null && !(handler.getEndpoint() instanceof PubSubEndpoint)) {
            latest = channel;
        }
    }
}
