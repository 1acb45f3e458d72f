package dev.holdfast.testkit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A {@link ReentrantLock} without conditions. */
class TwinLock implements Lock {
    private final ReentrantLock shared;

    TwinLock(ReentrantLock shared) {
        this.shared = shared;
    }

    final boolean isHeld() {
        return shared.isHeldByCurrentThread();
    }

    @Override
    public void lock() {
        shared.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        shared.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        return shared.tryLock();
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        return shared.tryLock(wait, unit);
    }

    @Override
    public void unlock() {
        shared.unlock();
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("a lock of this kind has no conditions");
    }
}
