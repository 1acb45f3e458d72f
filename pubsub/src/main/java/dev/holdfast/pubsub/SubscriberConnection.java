package dev.holdfast.pubsub;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The driver's subscription connection, without its own re-subscription and with a method to close the socket.
 *
 * <p>After a reconnect the driver would name all channels in one SUBSCRIBE. The server refuses that command as a whole
 * if it refuses one of the channels. Otherwise it replies once per channel, while the driver matches each reply to the
 * next command: from then on confirmations and errors are matched to the wrong commands. With one channel per command,
 * each command has one reply, and the matching is exact.
 */
final class SubscriberConnection<K, V> extends StatefulRedisPubSubConnectionImpl<K, V> {
    private final PubSubEndpoint<K, V> endpoint;

    /** Written by the I/O thread. */
    private volatile boolean usable;

    SubscriberConnection(
            PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
        super(endpoint, writer, codec, timeout);
        this.endpoint = endpoint;
    }

    @Override
    public void activated() {
        super.activated();
        usable = true;
    }

    @Override
    public void deactivated() {
        usable = false;
        super.deactivated();
    }

    /**
     * {@return whether commands are accepted} A new connection whose credentials are a provider's can be given out before it is
     * usable: its handshake has ended on another thread than the I/O thread. For the driver it is open then.
     */
    boolean isUsable() {
        return usable;
    }

    @Override
    protected List<RedisFuture<Void>> resubscribe() {
        return List.of();
    }

    /** None: they are not used, and to make a proxy of their methods is most of the cost of a first connection. */
    @Override
    protected @Nullable RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
        return null;
    }

    /** Closes the socket, if there is one; the driver then reconnects. */
    void disconnect() {
        endpoint.disconnect();
    }
}
