package dev.holdfast.benchmarks.system;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson with its defaults, on a server, on a cluster, or under sentinels; the URIs are those of Holdfast. */
final class RedissonLocks implements LockClient {
    private static final long PERMIT_LEASE_SECONDS = 30;
    private static final String SCHEME = "redis://";
    private static final Pattern SENTINELS = Pattern.compile("redis-sentinel://(?<servers>[^/]+)/0#(?<name>.+)");

    private final RedissonClient redisson;

    RedissonLocks(String uri, Duration watchdogTimeout) {
        Config config = new Config();
        config.setLockWatchdogTimeout(watchdogTimeout.toMillis());
        Matcher sentinels = SENTINELS.matcher(uri);
        String[] servers = uri.split(",");
        if (sentinels.matches()) {
            config.useSentinelServers()
                    .setMasterName(sentinels.group("name"))
                    .addSentinelAddress(addresses(sentinels.group("servers").split(",")));
        } else if (servers.length > 1) {
            config.useClusterServers().addNodeAddress(addresses(servers));
        } else {
            config.useSingleServer().setAddress(uri);
        }
        redisson = Redisson.create(config);
    }

    /** Only the first address of a URI with several has the scheme. */
    private static String[] addresses(String... servers) {
        return Stream.of(servers)
                .map(server -> server.startsWith(SCHEME) ? server : SCHEME + server)
                .toArray(String[]::new);
    }

    RedissonClient redisson() {
        return redisson;
    }

    @Override
    public BlockingLock lock(String name) {
        return BlockingLock.of(redisson.getLock(name));
    }

    @Override
    public BlockingLock fairLock(String name) {
        return BlockingLock.of(redisson.getFairLock(name));
    }

    @Override
    public BlockingLock sideOf(String name, boolean reads) {
        RReadWriteLock both = redisson.getReadWriteLock(name);
        return BlockingLock.of(reads ? both.readLock() : both.writeLock());
    }

    @Override
    public Latch latch(String name) {
        RCountDownLatch latch = redisson.getCountDownLatch(name);
        return Latch.of(latch::trySetCount, latch::countDown, latch::await);
    }

    /** A permit of it is never renewed. Without a lease, one of a process that has died would be gone for good. */
    @Override
    public Limit limit(String name, int permits) {
        RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore(name);
        semaphore.trySetPermits(permits);
        return wanted -> {
            List<String> ids = semaphore.acquire(wanted, PERMIT_LEASE_SECONDS, TimeUnit.SECONDS);
            return () -> semaphore.release(ids);
        };
    }

    @Override
    public AsyncLock asyncLock(String name, long owner) {
        return async(redisson.getLock(name), owner);
    }

    @Override
    public AsyncLock asyncReader(String name, long owner) {
        return async(redisson.getReadWriteLock(name).readLock(), owner);
    }

    private static AsyncLock async(RLock lock, long owner) {
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
