package dev.holdfast.examples.stale;

import dev.holdfast.guard.redis.RedisGuard;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Objects;

/**
 * A balance in Redis, which is read, changed and written back. A process writes it while it holds the lock, or believes
 * that it does.
 */
final class Account implements AutoCloseable {
    /** The name of the lock. */
    static final String LOCK = "account:42";

    private static final String BALANCE = "account:42:balance";

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private Account(RedisClient client) {
        this.client = client;
        this.connection = client.connect();
    }

    static Account at(String redisUri) {
        return new Account(RedisClient.create(redisUri));
    }

    int balance() {
        return Integer.parseInt(Objects.requireNonNull(connection.sync().get(BALANCE), "the account has no balance"));
    }

    /** {@return true: the write is unconditional} */
    boolean write(int balance) {
        connection.sync().set(BALANCE, Integer.toString(balance));
        return true;
    }

    /** {@return whether the balance was written; false if a later holder of the lock has written before} */
    boolean writeGuarded(int balance, long token) {
        RedisGuard.Outcome outcome = RedisGuard.on(connection.async())
                .set(BALANCE, Integer.toString(balance), token)
                .join();
        return outcome == RedisGuard.Outcome.WRITTEN;
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
