package dev.holdfast.examples.shop;

import dev.holdfast.guard.redis.RedisGuard;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The shop's data in Redis: how many items are left, and a ledger of the sales. The stock is read and written by two
 * separate commands, between which another seller may write. It has no protection of its own, unless its sellers have
 * fencing tokens: then a seller that has lost the lock is refused.
 */
final class Shop implements AutoCloseable {
    private static final String STOCK = "shop:left";
    private static final String GUARDED = "shop:guarded";
    private static final String LEFT = "left";
    private static final String SELLER = "seller";
    private static final String LEDGER = "shop:ledger";
    private static final String ACCIDENT = "shop:accident";

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final RedisGuard guard;

    private Shop(RedisClient client) {
        this.client = client;
        this.connection = client.connect();
        this.guard = RedisGuard.on(connection.async());
    }

    static Shop at(String redisUri) {
        return new Shop(RedisClient.create(redisUri));
    }

    /** The number of items left; also the number of the next item to sell. */
    int stock() {
        String left = redis().get(STOCK);
        return left == null ? 0 : Integer.parseInt(left);
    }

    void writeStock(int left) {
        written(redis().set(STOCK, Integer.toString(left)));
    }

    private static void written(String reply) {
        if (!"OK".equals(reply)) {
            throw new IllegalStateException("Redis did not write the stock, but replied " + reply);
        }
    }

    /** {@return the stock without a protection} */
    Stock unguarded() {
        return new Stock() {
            @Override
            public OptionalInt left() {
                return OptionalInt.of(stock());
            }

            @Override
            public boolean write(int left) {
                writeStock(left);
                return true;
            }
        };
    }

    /** The number of items left in the guarded stock. */
    int guardedStock() {
        String left = redis().hget(GUARDED, LEFT);
        return left == null ? 0 : Integer.parseInt(left);
    }

    void stockUpGuarded(int left) {
        redis().hset(GUARDED, LEFT, Integer.toString(left));
    }

    /**
     * {@return the stock that accepts an owner of the lock only until a later one has come} Each turn leaves its token
     * before it reads: then no earlier owner writes any more.
     */
    Stock guarded(int process, long token) {
        return new Stock() {
            @Override
            public OptionalInt left() {
                return set(SELLER, process) ? OptionalInt.of(guardedStock()) : OptionalInt.empty();
            }

            @Override
            public boolean write(int left) {
                return set(LEFT, left);
            }

            private boolean set(String field, int value) {
                return guard.hset(GUARDED, Map.of(field, Integer.toString(value)), token)
                                .join()
                        == RedisGuard.Outcome.WRITTEN;
            }
        };
    }

    /** The number of items left in a segment of the stock. */
    int stock(int segment) {
        String left = redis().get(STOCK + ":" + segment);
        return left == null ? 0 : Integer.parseInt(left);
    }

    void writeStock(int segment, int left) {
        written(redis().set(STOCK + ":" + segment, Integer.toString(left)));
    }

    /** The number of items left in all segments. */
    int stockOf(int segments) {
        return IntStream.range(0, segments).map(this::stock).sum();
    }

    void record(int process, int item) {
        redis().rpush(LEDGER, new Ledger.Entry(process, item).line());
    }

    /** The number of sales in the ledger. */
    long sales() {
        return redis().llen(LEDGER);
    }

    Ledger ledger() {
        return Ledger.parse(redis().lrange(LEDGER, 0, -1));
    }

    /** Returns true to the first caller of all processes, and false to all others. */
    boolean claimAccident(int process) {
        return "OK".equals(redis().set(ACCIDENT, Integer.toString(process), SetArgs.Builder.nx()));
    }

    private RedisCommands<String, String> redis() {
        return connection.sync();
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
