package dev.holdfast.campaign.twins;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.List;

/** A connection to the server that has a lock, or had it. A reply is awaited for as long as it takes. */
final class Home implements AutoCloseable {
    private final StatefulRedisConnection<String, String> connection;

    Home(RedisClient client, String uri) {
        connection = client.connect(StringCodec.UTF8, RedisURI.create(uri));
    }

    /** {@return whether the script did what it is for} */
    boolean eval(String script, List<String> keys, String... arguments) {
        List<Long> reply =
                connection.sync().eval(script, ScriptOutputType.MULTI, keys.toArray(String[]::new), arguments);
        return reply.get(0) == 1;
    }

    /** {@return whether this owner has the lock with this tenure} */
    boolean has(String lock, String owner, long tenure) {
        return Long.toString(tenure).equals(connection.sync().hget(lock, owner + ":tenure"));
    }

    @Override
    public void close() {
        connection.close();
    }
}
