package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.junit.TestClock;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.integration.support.locks.DistributedLock;

/** The registry's locks keep the contracts of Spring Integration, and none is held again in place of a lost one. */
@SuppressWarnings("LockNotBeforeTry") // the test is about the single steps
final class HoldfastLockRegistryTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final RedisServer redis = RedisServer.start();
    private final TestClock clock = new TestClock();
    private final Holdfast client =
            clock.applyTo(Holdfast.builder().redisUri(redis.uri())).build();
    private final Holdfast rival = Holdfast.connect(redis.uri());
    private final HoldfastLockRegistry registry = new HoldfastLockRegistry(client, "registry");
    private final DistributedLock lock = registry.obtain("key");

    @BeforeEach
    void isFree() {
        assertThat(rival.getLock("registry:key").isLocked()).isFalse();
    }

    @AfterEach
    void close() {
        client.close();
        rival.close();
        redis.close();
    }

    private boolean isLocked() {
        return rival.getLock("registry:key").isLocked();
    }

    /** Deletes the lock, which its holder does not know yet. */
    private void delete() {
        assertThat(rival.getLock("registry:key").forceUnlock()).isTrue();
    }

    /** Holds the lock for a lease that has run out when the method returns. */
    private void holdUntilExpired(int levels) {
        for (int i = 0; i < levels; i++) {
            lock.lock(LONG);
        }
        clock.advance(LONG);
        Eventually.await().until(() -> !client.getLock("registry:key")
                .isHeldBy(Thread.currentThread().getId()));
        delete(); // no time has passed in Redis
    }

    private void assertMayCompete() {
        assertThat(lock.tryLock()).isTrue();
        assertThat(isLocked()).isTrue();
        lock.unlock();
        assertThat(isLocked()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
    }

    /** The same key has the same object, and another lock than another key. */
    @Test
    void obtain_sameKey() {
        assertThat(registry.obtain("key")).isSameAs(lock);
        assertThat(registry.obtain("other")).isNotSameAs(lock);
        assertThatThrownBy(() -> registry.obtain(42)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A lock is re-entrant, excludes other clients, and is in Redis under the key of the registry. */
    @Test
    void lock_excludes() throws Exception {
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        assertThat(redis.keys()).contains("registry:key");
        assertThat(rival.getLock("registry:key").tryLock()).isFalse();
        lock.unlock();
        lock.unlock();
        assertThat(rival.getLock("registry:key").tryLock()).isFalse();
        lock.unlock();
        assertThat(isLocked()).isFalse();
    }

    /** A busy lock is reported as false, at once or after the wait. */
    @Test
    void tryLock_busy() throws Exception {
        rival.getLock("registry:key").lock();
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(-1, TimeUnit.SECONDS)).isFalse();
        assertThat(lock.tryLock(2, TimeUnit.SECONDS)).isFalse();
        assertThat(lock.tryLock(Duration.ZERO, LONG)).isFalse();
        assertThatThrownBy(() -> registry.executeLocked("key", Duration.ZERO, () -> {}))
                .isInstanceOf(TimeoutException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
    }

    /** A hold without a time-to-live is renewed; the registry's or the call's is its lease, and is not renewed. */
    @Test
    void timeToLive_isLease() throws Exception {
        lock.lock();
        assertThat(remaining()).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
        lock.unlock();
        lock.lock(LONG);
        assertThat(remaining()).isGreaterThan(LONG.minusSeconds(20));
        lock.unlock();
        assertThat(lock.tryLock(Duration.ZERO, LONG)).isTrue();
        assertThat(remaining()).isGreaterThan(LONG.minusSeconds(20));
        lock.unlock();
        DistributedLock brief = new HoldfastLockRegistry(client, "registry", Duration.ofSeconds(9)).obtain("key");
        for (int i = 0; i < 4; i++) {
            switch (i) {
                case 0 -> brief.lock();
                case 1 -> brief.lockInterruptibly();
                case 2 -> assertThat(brief.tryLock()).isTrue();
                default -> assertThat(brief.tryLock(1, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(9));
            brief.unlock();
        }
    }

    private Duration remaining() {
        return rival.getLock("registry:key").remainingLease().orElse(Duration.ZERO);
    }

    /** A renewal lengthens the hold of its thread, and needs one. */
    @Test
    void renewLock_lengthens() {
        assertThatThrownBy(() -> registry.renewLock("key")).isInstanceOf(IllegalStateException.class);
        lock.lock(Duration.ofSeconds(10));
        registry.renewLock("key", LONG);
        assertThat(remaining()).isGreaterThan(LONG.minusSeconds(20));
        registry.renewLock("key");
        lock.unlock();
        assertThat(isLocked()).isFalse();
    }

    /** A thread cannot release the lock of another. */
    @Test
    void unlock_byOtherThread() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            other.submit(() -> lock.lock()).get();
            assertThatThrownBy(lock::unlock)
                    .isInstanceOf(IllegalStateException.class)
                    .hasCauseInstanceOf(IllegalMonitorStateException.class);
            assertThatThrownBy(() -> registry.renewLock("key")).isInstanceOf(IllegalStateException.class);
            assertThat(isLocked()).isTrue();
            other.submit(lock::unlock).get();
        } finally {
            other.shutdown();
        }
        assertThat(isLocked()).isFalse();
    }

    /** After a lease ran out, a try is refused once, at whatever depth, and the next one competes. */
    @Test
    void tryLock_afterExpiry() throws Exception {
        holdUntilExpired(1);
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isFalse();
        assertThat(isLocked()).isFalse();
        assertMayCompete();
        holdUntilExpired(3);
        assertThat(lock.tryLock()).isFalse();
        assertThat(isLocked()).isFalse();
        assertMayCompete();
    }

    /** A key that was deleted is found missing by the next try, before any renewal. */
    @Test
    void tryLock_afterDeletion() {
        lock.lock();
        delete();
        assertThat(lock.tryLock()).isFalse();
        assertThat(isLocked()).isFalse();
        assertMayCompete();
    }

    /** A lock that another client has taken meanwhile is refused as well, and stays the other's. */
    @Test
    void tryLock_afterTakeover() throws Exception {
        lock.lock();
        delete();
        rival.getLock("registry:key").lock();
        assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(rival.getLock("registry:key").isHeldByCurrentThread()).isTrue();
        rival.getLock("registry:key").unlock();
        assertMayCompete();
    }

    /** Methods that cannot return false throw, with the loss as the cause. */
    @Test
    void lock_afterLoss() {
        holdUntilExpired(2);
        assertThatThrownBy(lock::lock)
                .isInstanceOf(CannotAcquireLockException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
        assertMayCompete();
        lock.lock();
        delete();
        assertThatThrownBy(lock::lockInterruptibly)
                .isInstanceOf(CannotAcquireLockException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
        assertMayCompete();
    }

    /** The release of a lost lock fails, and leaves nothing to be released. */
    @Test
    void unlock_afterLoss() {
        holdUntilExpired(2);
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(ConcurrentModificationException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
        assertMayCompete();
        lock.lock();
        delete();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertMayCompete();
    }

    /** A renewal does not revive a lost lock. */
    @Test
    void renewLock_afterLoss() {
        holdUntilExpired(1);
        assertThatThrownBy(() -> registry.renewLock("key"))
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(LeaseLostException.class);
        assertThat(isLocked()).isFalse();
        assertMayCompete();
    }

    /** A Redis that does not answer is a failure, not a busy lock. */
    @Test
    void failure_isNoFalse() {
        try (Holdfast hasty = Holdfast.builder()
                .redisUri(redis.uri())
                .commandTimeout(Duration.ofSeconds(1))
                .build()) {
            DistributedLock some = new HoldfastLockRegistry(hasty, "registry").obtain("key");
            some.lock();
            redis.pause();
            try {
                assertThatThrownBy(some::tryLock)
                        .isInstanceOf(CannotAcquireLockException.class)
                        .hasCauseInstanceOf(LockException.class);
                assertThatThrownBy(some::unlock)
                        .isInstanceOf(DataAccessResourceFailureException.class)
                        .hasCauseInstanceOf(LockException.class);
                assertThatThrownBy(some::unlock).isInstanceOf(IllegalStateException.class);
            } finally {
                redis.resume();
            }
        }
    }

    /** An interrupt ends a wait that can be interrupted, and no other. */
    @Test
    void interrupt_endsWait() {
        rival.getLock("registry:key").lock();
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThat(new HoldfastLockRegistry(client, "registry", LONG)
                        .obtain("key")
                        .tryLock())
                .isFalse();
        assertThat(Thread.interrupted()).isTrue();
        rival.getLock("registry:key").unlock();
    }

    /** Forgetting the objects changes no lock: what a thread still has works as before. */
    @Test
    void expireUnused_keepsHolds() {
        lock.lock();
        registry.expireUnusedOlderThan(60_000);
        assertThat(registry.obtain("key")).isSameAs(lock);
        registry.expireUnusedOlderThan(0);
        DistributedLock again = registry.obtain("key");
        assertThat(again).isNotSameAs(lock);
        delete();
        assertThat(again.tryLock()).isFalse();
        assertMayCompete();
    }
}
