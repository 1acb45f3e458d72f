package dev.holdfast.benchmarks.workload;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The round-trip time of a command that does nothing, as seen by the calling thread. */
final class RoundTrip {
    private static final int PINGS = 51;

    private RoundTrip() {}

    /**
     * {@return the median of some pings, in microseconds}
     *
     * @param pause the pause before each ping: a processor that was idle takes time to wake up
     */
    static double micros(String uri, Duration pause) {
        List<Long> nanos = new ArrayList<>();
        try (RedisClient client = RedisClient.create(RedisURI.create(uri));
                StatefulRedisConnection<String, String> connection = client.connect()) {
            for (int i = 0; i < PINGS; i++) {
                LockSupport.parkNanos(pause.toNanos());
                long sent = System.nanoTime();
                connection.sync().ping();
                nanos.add(System.nanoTime() - sent);
            }
        }
        return nanos.stream().sorted().toList().get(PINGS / 2) / 1e3;
    }
}
