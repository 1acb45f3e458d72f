package dev.holdfast.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Holdfast;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.redisson.api.RedissonClient;

/**
 * A process that increments a counter in Redis by GET and SET, which is correct only under a lock that excludes all
 * other writers. It prints a line when it is ready, and begins when it receives one. Arguments: library, URI, name of
 * the lock, key of the counter, threads, rounds of each.
 */
final class CountingProcess {
    private final RedisCommands<String, String> redis;
    private final String counter;

    private CountingProcess(RedisCommands<String, String> redis, String counter) {
        this.redis = redis;
        this.counter = counter;
    }

    public static void main(String[] arguments) throws IOException {
        String uri = arguments[1];
        String name = arguments[2];
        int threads = Integer.parseInt(arguments[4]);
        int rounds = Integer.parseInt(arguments[5]);
        try (RedisClient client = RedisClient.create(uri);
                StatefulRedisConnection<String, String> connection = client.connect()) {
            CountingProcess process = new CountingProcess(connection.sync(), arguments[3]);
            switch (arguments[0]) {
                case "holdfast" -> {
                    try (Holdfast holdfast = Holdfast.connect(uri)) {
                        process.run(holdfast.getLock(name), threads, rounds);
                    }
                }
                case "redisson" -> {
                    RedissonClient redisson = Neighbours.redisson(uri);
                    process.run(redisson.getLock(name), threads, rounds);
                    redisson.shutdown();
                }
                default -> throw new IllegalArgumentException("library must be holdfast or redisson");
            }
        }
    }

    private void run(Lock lock, int threads, int rounds) throws IOException {
        awaitStart();
        CompletableFuture<?>[] counting = new CompletableFuture<?>[threads];
        for (int i = 0; i < threads; i++) {
            counting[i] = Neighbours.inNewThread(() -> count(lock, rounds));
        }
        CompletableFuture.allOf(counting).join();
    }

    private static void awaitStart() throws IOException {
        System.out.println("ready");
        new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
    }

    private void count(Lock lock, int rounds) {
        for (int i = 0; i < rounds; i++) {
            Neighbours.under(lock, () -> redis.set(counter, Long.toString(Long.parseLong(redis.get(counter)) + 1)));
        }
    }
}
