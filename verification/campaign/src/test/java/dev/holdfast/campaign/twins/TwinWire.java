package dev.holdfast.campaign.twins;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;

/** A connection that sends an unanswered script again, on a new connection. Confined to one thread. */
final class TwinWire implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofMillis(400);

    private final RedisClient client;
    private StatefulRedisConnection<String, String> connection;
    private boolean sentAgain;

    TwinWire(RedisClient client) {
        this.client = client;
        this.connection = connect(client);
    }

    private static StatefulRedisConnection<String, String> connect(RedisClient client) {
        StatefulRedisConnection<String, String> connection = client.connect();
        connection.setTimeout(TIMEOUT);
        return connection;
    }

    List<Long> eval(String script, List<String> keys, String... arguments) {
        sentAgain = false;
        while (true) {
            try {
                return connection.sync().eval(script, ScriptOutputType.MULTI, keys.toArray(String[]::new), arguments);
            } catch (RedisCommandTimeoutException e) {
                sentAgain = true;
                reconnect();
            }
        }
    }

    private void reconnect() {
        connection.close();
        connection = connect(client);
    }

    /** {@return for how long Redis keeps a key; negative if the key does not exist, or has no expiry} */
    long leftMillis(String key) {
        while (true) {
            try {
                return connection.sync().pttl(key);
            } catch (RedisCommandTimeoutException stalled) {
                reconnect();
            }
        }
    }

    /** {@return whether the last script may have run more than once} */
    boolean wasSentAgain() {
        return sentAgain;
    }

    @Override
    public void close() {
        connection.close();
    }
}
