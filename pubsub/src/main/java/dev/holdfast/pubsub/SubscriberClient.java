package dev.holdfast.pubsub;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;

/** A Lettuce client that creates {@link SubscriberConnection}s. Has no threads of its own. */
final class SubscriberClient extends RedisClient {
    SubscriberClient(ClientResources resources, ClientOptions options, RedisURI uri) {
        super(resources, uri);
        super.setOptions(options);
    }

    @Override
    protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
            PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
        return new SubscriberConnection<>(endpoint, writer, codec, timeout);
    }
}
