package dev.holdfast.campaign.twins;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.List;

/** A connection to the server that has a lock, or had it. A reply is awaited for as long as it takes. */
final class TwinHome implements AutoCloseable {
    private final StatefulRedisConnection<String, String> connection;

    /** One that writes nothing. */
    private final StatefulRedisConnection<String, String> idle;

    TwinHome(RedisClient client, String uri) {
        connection = client.connect(StringCodec.UTF8, RedisURI.create(uri));
        idle = client.connect(StringCodec.UTF8, RedisURI.create(uri));
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

    /** {@return how many replicas have what the scripts have written} It waits for one of them. */
    long awaitReplica(Duration atMost) {
        return awaitReplica(connection, atMost);
    }

    /** {@return how many replicas have what an idle connection has written, which is nothing} */
    long awaitReplicaElsewhere(Duration atMost) {
        return awaitReplica(idle, atMost);
    }

    /**
     * {@return the same, after a command that writes nothing} Before Redis 7.2 the connection has the offset of the replication
     * stream with the reply to any command: all that was written before it is awaited.
     */
    long awaitReplicaBehindPing(Duration atMost) {
        idle.sync().ping();
        return awaitReplica(idle, atMost);
    }

    private static long awaitReplica(StatefulRedisConnection<String, String> on, Duration atMost) {
        return on.sync().waitForReplication(1, atMost.toMillis());
    }

    @Override
    public void close() {
        idle.close();
        connection.close();
    }
}
