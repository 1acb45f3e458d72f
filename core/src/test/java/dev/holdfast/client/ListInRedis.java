package dev.holdfast.client;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.AbstractQueue;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A list in Redis, which processes use as their common queue. */
final class ListInRedis extends AbstractQueue<Object> {
    private final RedisCommands<String, String> redis;
    private final String key;

    ListInRedis(RedisClient client, String key) {
        this.redis = client.connect().sync();
        this.key = key;
    }

    @Override
    public boolean offer(Object element) {
        return redis.rpush(key, element.toString()) > 0;
    }

    @Override
    public @Nullable Object poll() {
        return redis.lpop(key);
    }

    @Override
    public @Nullable Object peek() {
        return redis.lindex(key, 0);
    }

    @Override
    public int size() {
        return Math.toIntExact(redis.llen(key));
    }

    @Override
    public Iterator<Object> iterator() {
        return redis.lrange(key, 0, -1).stream().<Object>map(each -> each).iterator();
    }
}
