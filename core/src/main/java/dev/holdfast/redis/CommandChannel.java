package dev.holdfast.redis;

import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Learns which channel the driver's command connection has, for the driver does not tell. It makes one after the other, so
 * the latest is the one that was connected last. For the resources of one client, which has one such connection; channels
 * of its subscriptions are left out.
 */
public final class CommandChannel implements NettyCustomizer {
    private final NettyCustomizer users;
    private volatile @Nullable Channel latest;

    /** @param users what else is to be done to channels */
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
