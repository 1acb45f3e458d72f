package dev.holdfast.campaign.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * What the locks protect, kept where no fault reaches it: for each lock, a count of the writes that were taken. A write with an
 * older token than one before it is refused. Safe for use by many threads.
 */
final class Resource {
    private static final String SCRIPT = source("guarded-count.lua");

    private final StatefulRedisConnection<String, String> connection;

    private Resource(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
    }

    /** {@return the resource there, connected for as long as the process lives} */
    static Resource at(String uri) {
        return new Resource(RedisClient.create(uri).connect());
    }

    /** {@return how many writes the resource has taken, this one included; 0 if it was refused} An interrupt is kept for later. */
    long write(String lock, long token) {
        String[] keys = {"resource:" + lock};
        RedisFuture<Long> sequence =
                connection.async().eval(SCRIPT, ScriptOutputType.INTEGER, keys, Long.toString(token));
        return sequence.toCompletableFuture().join();
    }

    private static String source(String file) {
        try (InputStream in = Resource.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("script " + file + " is missing beside " + Resource.class.getName());
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("script " + file + " cannot be read", e);
        }
    }
}
