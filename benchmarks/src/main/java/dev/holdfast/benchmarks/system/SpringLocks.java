package dev.holdfast.benchmarks.system;

import io.lettuce.core.RedisURI;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Spring Integration's lock registry on Lettuce, notified of releases by pub/sub, with its defaults otherwise. */
public final class SpringLocks implements LockClient {
    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    /** Connects. */
    public SpringLocks(String uri) {
        RedisURI address = RedisURI.create(uri);
        connections = new LettuceConnectionFactory(address.getHost(), address.getPort());
        connections.afterPropertiesSet();
        connections.start();
        registry = new RedisLockRegistry(connections, "benchmark");
        registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
    }

    @Override
    public BlockingLock lock(String name) {
        return BlockingLock.of(registry.obtain(name));
    }

    @Override
    public void close() {
        registry.destroy();
        connections.destroy();
    }
}
