package dev.holdfast.campaign.worker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * The resource that the locks protect, on a server without faults: for each lock, the number of accepted writes, and a bounded
 * buffer. A write is refused if its token is smaller than that of an earlier one. Thread-safe.
 */
final class Resource {
    private static final String SCRIPT = source("guarded-count.lua");

    private static final String BUFFER = source("guarded-buffer.lua");

    private final StatefulRedisConnection<String, String> connection;

    private Resource(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
    }

    /** {@return the resource on this server, connected for as long as the process lives} */
    static Resource at(String uri) {
        return new Resource(RedisClient.create(uri).connect());
    }

    /**
     * {@return the number of writes that the resource has accepted, this one included; 0 if it was refused} An
     * interrupt is preserved.
     */
    long write(String lock, long token) {
        String[] keys = {"resource:" + lock};
        RedisFuture<Long> sequence =
                connection.async().eval(SCRIPT, ScriptOutputType.INTEGER, keys, Long.toString(token));
        return sequence.toCompletableFuture().join();
    }

    /**
     * {@return the items that have been put into the buffer that a lock guards, and taken out of it; empty if it has been used with a
     * larger token} An interrupt is preserved.
     */
    Optional<Buffer> look(String lock, long token) {
        return buffer(lock, Long.toString(token));
    }

    /** {@return whether these are its items now; not if it has been used with a larger token} An interrupt is preserved. */
    boolean write(String lock, long token, Buffer buffer) {
        return buffer(lock, Long.toString(token), Long.toString(buffer.put()), Long.toString(buffer.taken()))
                .isPresent();
    }

    private Optional<Buffer> buffer(String lock, String... values) {
        String[] keys = {"buffer:" + lock};
        RedisFuture<List<Long>> found = connection.async().eval(BUFFER, ScriptOutputType.MULTI, keys, values);
        List<Long> counts = found.toCompletableFuture().join();
        return counts.isEmpty() ? Optional.empty() : Optional.of(new Buffer(counts.get(0), counts.get(1)));
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
