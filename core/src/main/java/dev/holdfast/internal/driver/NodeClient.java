package dev.holdfast.internal.driver;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The driver's client, for connections without the synchronous commands. They are not used, and the driver makes a proxy
 * of their hundreds of methods for the first connection of each kind, which was most of what the start of a client cost.
 */
public final class NodeClient extends RedisClient {
    /** @param resources the event loops and the timer, which the client does not close */
    public NodeClient(ClientResources resources) {
        super(resources, new RedisURI());
    }

    @Override
    protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
            RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
        return new Connection<>(writer, pushes, codec, timeout);
    }

    private static final class Connection<K, V> extends StatefulRedisConnectionImpl<K, V> {
        Connection(RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
            super(writer, pushes, codec, timeout);
        }

        @Override
        protected @Nullable RedisCommands<K, V> newRedisSyncCommandsImpl() {
            return null;
        }
    }
}
