package dev.holdfast.testkit;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A condition of a {@link ReentrantLock}. */
@SuppressWarnings({"WaitNotInLoop", "JavaUtilDate"}) // callers loop, and the interface has it
class TwinCondition implements Condition {
    final ReentrantLock lock;
    final Condition shared;

    TwinCondition(ReentrantLock lock, Condition shared) {
        this.lock = lock;
        this.shared = shared;
    }

    @Override
    public void await() throws InterruptedException {
        shared.await();
    }

    @Override
    public void awaitUninterruptibly() {
        shared.awaitUninterruptibly();
    }

    @Override
    public long awaitNanos(long nanosTimeout) throws InterruptedException {
        return shared.awaitNanos(nanosTimeout);
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return shared.await(time, unit);
    }

    @Override
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        return shared.awaitUntil(deadline);
    }

    @Override
    public void signal() {
        shared.signal();
    }

    @Override
    public void signalAll() {
        shared.signalAll();
    }
}
