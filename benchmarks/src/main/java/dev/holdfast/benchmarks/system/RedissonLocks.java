package dev.holdfast.benchmarks.system;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with its defaults. */
final class RedissonLocks implements LockClient {
    private final RedissonClient redisson;

    RedissonLocks(String uri, Duration watchdogTimeout) {
        Config config = new Config();
        config.setLockWatchdogTimeout(watchdogTimeout.toMillis());
        config.useSingleServer().setAddress(uri);
        redisson = Redisson.create(config);
    }

    @Override
    public BlockingLock lock(String name) {
        return BlockingLock.of(redisson.getLock(name));
    }

    @Override
    public AsyncLock asyncLock(String name, long owner) {
        RLock lock = redisson.getLock(name);
        return new AsyncLock() {
            @Override
            public CompletionStage<?> lock() {
                return lock.lockAsync(owner);
            }

            @Override
            public CompletionStage<?> unlock() {
                return lock.unlockAsync(owner);
            }
        };
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
