package dev.holdfast.examples.prices;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Prices in Redis, each a value of its own: without a lock, a reader sees some of the old and some of the new ones. */
final class PriceList implements AutoCloseable {
    /** The name of the lock. */
    static final String LOCK = "prices";

    private static final List<String> ITEMS =
            IntStream.range(0, 12).mapToObj(item -> "price:" + item).toList();

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private PriceList(RedisClient client) {
        this.client = client;
        this.connection = client.connect();
    }

    static PriceList at(String redisUri) {
        return new PriceList(RedisClient.create(redisUri));
    }

    /** Writes one price after the other; those of one list are all equal. */
    void write(long price) {
        ITEMS.forEach(item -> connection.sync().set(item, Long.toString(price)));
    }

    /** {@return the prices, read one after the other} */
    List<Long> read() {
        return ITEMS.stream()
                .map(item -> {
                    String price = connection.sync().get(item);
                    return price == null ? 0L : Long.parseLong(price);
                })
                .toList();
    }

    /** {@return whether the prices are those of one list} */
    static boolean isWhole(List<Long> prices) {
        return prices.stream().distinct().count() == 1;
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
