package dev.holdfast.spring.integration;

import dev.holdfast.Holdfast;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/** The adapter that one would write first: each call is that of the Holdfast lock. */
record NaiveLockRegistry(Holdfast client, Duration lease) implements LockRegistry<DistributedLock> {
    @Override
    public DistributedLock obtain(Object lockKey) {
        return new NaiveLock(client.getLock("registry:" + lockKey), lease);
    }

    private record NaiveLock(dev.holdfast.DistributedLock target, Duration lease) implements DistributedLock {
        @Override
        public void lock() {
            target.lock(lease);
        }

        @Override
        public void lock(Duration ttl) {
            target.lock(ttl);
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            target.lockInterruptibly(lease);
        }

        @Override
        public boolean tryLock() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return target.tryLock(Duration.of(time, unit.toChronoUnit()), lease);
        }

        @Override
        public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
            return target.tryLock(waitTime, ttl);
        }

        @Override
        public void unlock() {
            target.unlock();
        }

        @Override
        public Condition newCondition() {
            return target.newCondition();
        }
    }
}
