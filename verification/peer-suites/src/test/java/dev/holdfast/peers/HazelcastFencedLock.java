package dev.holdfast.peers;

import com.hazelcast.cp.CPGroupId;
import com.hazelcast.cp.lock.FencedLock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** The fenced lock of Holdfast with Hazelcast's interface. */
record HazelcastFencedLock(dev.holdfast.FencedLock target) implements FencedLock {
    @Override
    public void lock() {
        target.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        target.lockInterruptibly();
    }

    @Override
    public long lockAndGetFence() {
        return target.lockAndGetToken();
    }

    @Override
    public boolean tryLock() {
        return target.tryLock();
    }

    @Override
    public long tryLockAndGetFence() {
        return target.tryLockAndGetToken().orElse(INVALID_FENCE);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) {
        return tryLockAndGetFence(time, unit) != INVALID_FENCE;
    }

    /** Hazelcast's method has no exception for an interrupt. */
    @Override
    public long tryLockAndGetFence(long time, TimeUnit unit) {
        try {
            return target.tryLockAndGetToken(Duration.of(time, unit.toChronoUnit()))
                    .orElse(INVALID_FENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + target.name(), e);
        }
    }

    @Override
    public void unlock() {
        target.unlock();
    }

    @Override
    public long getFence() {
        return target.getToken();
    }

    @Override
    public boolean isLocked() {
        return target.isLocked();
    }

    @Override
    public boolean isLockedByCurrentThread() {
        return target.isHeldByCurrentThread();
    }

    /** The levels of whichever owner there is. */
    @Override
    public int getLockCount() {
        return target.inspect().holdCount();
    }

    @Override
    public Condition newCondition() {
        return target.newCondition();
    }

    @Override
    public String getName() {
        return target.name();
    }

    @Override
    public CPGroupId getGroupId() {
        throw new UnsupportedOperationException("Redis has no Raft groups");
    }

    @Override
    public String getPartitionKey() {
        throw new UnsupportedOperationException("Redis has no partition keys");
    }

    @Override
    public String getServiceName() {
        throw new UnsupportedOperationException("the lock is not Hazelcast's");
    }

    @Override
    public void destroy() {
        throw new UnsupportedOperationException("the lock cannot be destroyed");
    }
}
