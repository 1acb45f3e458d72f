package dev.holdfast.spring.integration;

import dev.holdfast.Holdfast;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * The locks of a {@link Holdfast} client as a lock registry of Spring Integration, for aggregators, leader elections and
 * whatever else takes one. The lock of the key {@code k} is the Holdfast lock {@code registryKey:k}, and belongs to the
 * calling thread.
 *
 * <p><b>Leases.</b> Without a time-to-live, neither the registry's nor the call's, a hold is renewed until it is
 * released, so nothing has to call {@link #renewLock}; a scheduler for renewals is ignored.
 *
 * <p><b>Losses.</b> The next call of a thread for a lock that it held and has lost reports the loss, once:
 * {@code tryLock} returns false, {@code lock} throws {@link org.springframework.dao.CannotAcquireLockException},
 * {@code unlock} throws {@link java.util.ConcurrentModificationException}, and {@link #renewLock} throws
 * {@link IllegalStateException}; the cause is a {@link dev.holdfast.LeaseLostException}. With that, all levels at which
 * the thread held the lock are given up, and it does not get a new hold in place of the lost one. Its call after that
 * competes for the lock like any other. So a leader that was elected by this registry steps down within a heartbeat when
 * its lock is lost, and may lead again.
 *
 * <p><b>Failures.</b> If Redis fails or does not answer, {@code lock} and {@code tryLock} throw
 * {@code CannotAcquireLockException}, and {@code unlock} throws
 * {@link org.springframework.dao.DataAccessResourceFailureException}, with the {@link dev.holdfast.LockException} as the
 * cause. The level counts as released then, and the lock ends with its lease at the latest.
 *
 * <p>It does not exclude a {@code RedisLockRegistry} of the same registry key: that stores its locks in another format,
 * and each of the two fails where it meets a lock of the other.
 */
public final class HoldfastLockRegistry
        implements RenewableLockRegistry<DistributedLock>, ExpirableLockRegistry<DistributedLock> {
    private static final int CAPACITY = 100_000;

    private final Holdfast client;
    private final String registryKey;
    private final @Nullable Duration timeToLive;
    private final ThreadLevels levels = new ThreadLevels();

    /** Guarded by itself. In the order of their last use. */
    private final Map<String, RegistryLock> locks = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * A registry whose locks are renewed until they are released.
     *
     * @param client the client
     * @param registryKey what the names of all locks start with, before a colon
     */
    public HoldfastLockRegistry(Holdfast client, String registryKey) {
        this(client, registryKey, null);
    }

    /**
     * A registry whose locks are renewed until they are released, or have a time-to-live.
     *
     * @param client the client
     * @param registryKey what the names of all locks start with, before a colon
     * @param timeToLive how long a hold lasts that is not renewed, if the call does not say it; null to renew holds
     */
    public HoldfastLockRegistry(Holdfast client, String registryKey, @Nullable Duration timeToLive) {
        this.client = Objects.requireNonNull(client, "client must not be null");
        this.registryKey = Objects.requireNonNull(registryKey, "registryKey must not be null");
        this.timeToLive = timeToLive;
    }

    /**
     * {@return the lock of this key} The same object for the same key, unless that was not used for long.
     *
     * @param lockKey a string
     * @throws IllegalArgumentException if the key is no string
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return lock(lockKey);
    }

    private RegistryLock lock(Object lockKey) {
        if (!(lockKey instanceof String key)) {
            throw new IllegalArgumentException("lockKey must be a string, was "
                    + (lockKey == null ? null : lockKey.getClass().getName()));
        }
        synchronized (locks) {
            RegistryLock lock = locks.computeIfAbsent(key, this::newLock);
            lock.touch();
            if (locks.size() > CAPACITY) {
                locks.remove(locks.keySet().iterator().next());
            }
            return lock;
        }
    }

    private RegistryLock newLock(String key) {
        return new RegistryLock(new ThreadHold(client.getLock(registryKey + ":" + key), levels), timeToLive);
    }

    /**
     * Verifies that the calling thread still holds the lock, and prolongs it to the registry's time-to-live if it has one.
     *
     * @throws IllegalStateException if the thread does not hold the lock, has lost it, or Redis failed or did not answer
     */
    @Override
    public void renewLock(Object lockKey) {
        lock(lockKey).renew(timeToLive);
    }

    /**
     * Makes the hold of the calling thread last at least this long from now.
     *
     * @param ttl at least 1 ms
     * @throws IllegalStateException if the thread does not hold the lock, has lost it, or Redis failed or did not answer
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        lock(lockKey).renew(ttl);
    }

    /**
     * Forgets the lock objects that were obtained longer ago than this. Objects have no state: one that a thread still
     * has works as before, and a lock stays held.
     *
     * @param age in milliseconds
     */
    @Override
    public void expireUnusedOlderThan(long age) {
        synchronized (locks) {
            locks.values().removeIf(lock -> lock.isOlderThan(age));
        }
    }

    @Override
    public String toString() {
        return "HoldfastLockRegistry[" + registryKey + ", " + client + "]";
    }
}
