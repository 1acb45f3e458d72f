package dev.holdfast.cli.check;

import dev.holdfast.cli.found.FixedCredentials;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.time.Duration;

/** Connects to servers: with nothing that a user may lack the right to, unless that is the question. */
final class Links implements AutoCloseable {
    private final RedisClient client = RedisClient.create();

    private static ClientOptions options(ProtocolVersion version) {
        return ClientOptions.builder()
                .protocolVersion(version)
                .pingBeforeActivateConnection(false)
                .autoReconnect(false)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(
                        SocketOptions.builder().connectTimeout(Link.TIMEOUT).build())
                .build();
    }

    /** {@return the connection, or why there is none} A server that accepts it may still not answer, and is not asked more. */
    Answer<Link> connect(RedisURI uri) {
        client.setOptions(options(ProtocolVersion.RESP2));
        try {
            Link link = new Link(client.connect(bounded(uri)));
            String reason = link.ask("PING").reason();
            if (reason.startsWith(Link.NO_ANSWER)) {
                link.close();
                return Answer.unknown(reason);
            }
            return Answer.of(link);
        } catch (RuntimeException e) {
            return Answer.unknown(reason(e));
        }
    }

    private static RedisURI bounded(RedisURI uri) {
        FixedCredentials.in(uri);
        uri.setTimeout(Link.TIMEOUT);
        return uri;
    }

    /** {@return whether the server speaks RESP3} */
    Answer<Boolean> speaksResp3(RedisURI uri) {
        client.setOptions(options(ProtocolVersion.RESP3));
        try (StatefulRedisConnection<String, String> connection = client.connect(bounded(uri))) {
            return Answer.of(connection.isOpen());
        } catch (RuntimeException e) {
            return Answer.unknown(reason(e));
        }
    }

    /** What a subscription was replied to, and its end. */
    record Subscribed(Answer<Void> begun, Answer<Void> ended) {
        static Subscribed failed(String reason) {
            return new Subscribed(Answer.unknown(reason), Answer.unknown(reason));
        }
    }

    /** Subscribes to a channel, and ends that again. */
    Subscribed subscribe(RedisURI uri, String channel, boolean isSharded) {
        client.setOptions(options(ProtocolVersion.RESP2));
        try (StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub(bounded(uri))) {
            RedisPubSubAsyncCommands<String, String> commands = connection.async();
            return isSharded
                    ? new Subscribed(
                            Link.await(commands.ssubscribe(channel)), Link.await(commands.sunsubscribe(channel)))
                    : new Subscribed(
                            Link.await(commands.subscribe(channel)), Link.await(commands.unsubscribe(channel)));
        } catch (RuntimeException e) {
            return Subscribed.failed(reason(e));
        }
    }

    /** {@return the innermost message, without what the driver says around it} */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause().getMessage() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage()).replaceFirst("^.* failed with error\\(-?\\d+\\): ", "");
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
