package dev.holdfast.examples.buffer;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.examples.Metrics;
import io.lettuce.core.LMoveArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;

/**
 * A bounded buffer in Redis. An item is in one of three lists: that of the buffer, that of what a consumer has taken, and that of what
 * it has shipped. One command moves it from one to the next, so it is in exactly one of them, whatever process is killed.
 */
final class Buffer implements AutoCloseable {
    static final int CAPACITY = 10;

    /** The item that ends a consumer. */
    static final String END = "end";

    /** The name of the lock, and the key of the buffer. */
    private static final String NAME = "orders";

    private static final LMoveArgs NEXT = LMoveArgs.Builder.leftRight();

    private final Metrics metrics;
    private final Holdfast holdfast;
    private final DistributedLock lock;
    private final Condition notFull;
    private final Condition notEmpty;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private int waits;

    private Buffer(Metrics metrics, Holdfast holdfast, RedisClient client) {
        this.metrics = metrics;
        this.holdfast = holdfast;
        this.lock = holdfast.getLock(NAME + ":lock");
        this.notFull = lock.getCondition("not full");
        this.notEmpty = lock.getCondition("not empty");
        this.client = client;
        this.connection = client.connect();
    }

    /**
     * @param lease for how long a process that has died keeps the lock at most
     * @param user what uses the buffer, for its meters
     */
    static Buffer at(String redisUri, Duration lease, String user) {
        Metrics metrics = Metrics.ofClient(user);
        Holdfast holdfast = Holdfast.builder()
                .redisUri(redisUri)
                .watchdogTimeout(lease)
                .addListener(metrics.listener())
                .build();
        metrics.watch(holdfast);
        return new Buffer(metrics, holdfast, RedisClient.create(redisUri));
    }

    /** Puts an item, when there is room for it. */
    void put(String item) throws InterruptedException {
        lock.lock();
        try {
            while (connection.sync().llen(NAME) >= CAPACITY) {
                waits++;
                notFull.await();
            }
            connection.sync().rpush(NAME, item);
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes an item, when there is one.
     *
     * @param consumer whose it is then
     * @param taken runs while the lock is still held
     */
    String take(int consumer, Runnable taken) throws InterruptedException {
        lock.lock();
        try {
            while (connection.sync().llen(NAME) == 0) {
                waits++;
                notEmpty.await();
            }
            String item = connection.sync().lmove(NAME, taken(consumer), NEXT);
            taken.run();
            notFull.signal();
            return item;
        } finally {
            lock.unlock();
        }
    }

    /** What a consumer has taken is shipped. */
    void shipped(int consumer) {
        connection.sync().lmove(taken(consumer), shippedBy(consumer), NEXT);
    }

    /** {@return what a consumer has taken, and not shipped} */
    Optional<String> takenBy(int consumer) {
        return connection.sync().lrange(taken(consumer), 0, -1).stream().findFirst();
    }

    /** {@return what was shipped by a consumer} */
    List<String> allShippedBy(int consumer) {
        return connection.sync().lrange(shippedBy(consumer), 0, -1);
    }

    /** Returns when the lock was free. */
    void awaitLock() {
        lock.runLocked(() -> {});
    }

    /** {@return how often the buffer was full, or empty} */
    int waits() {
        return waits;
    }

    private static String taken(int consumer) {
        return NAME + ":taken:" + consumer;
    }

    private static String shippedBy(int consumer) {
        return NAME + ":shipped:" + consumer;
    }

    @Override
    public void close() {
        holdfast.close();
        metrics.close();
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
