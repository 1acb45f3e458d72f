package dev.holdfast.spring.integration;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.integration.support.locks.DistributedLock;

/** A lock with the exceptions that callers of Spring Integration know. */
final class RegistryLock implements DistributedLock {
    private final ThreadHold hold;
    private final @Nullable Duration timeToLive;
    private volatile long obtainedAt;

    RegistryLock(ThreadHold hold, @Nullable Duration timeToLive) {
        this.hold = hold;
        this.timeToLive = timeToLive;
    }

    void touch() {
        obtainedAt = System.nanoTime();
    }

    boolean isOlderThan(long millis) {
        return System.nanoTime() - obtainedAt >= TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    public void lock() {
        lockFor(timeToLive);
    }

    @Override
    public void lock(Duration ttl) {
        lockFor(ttl);
    }

    private void lockFor(@Nullable Duration lease) {
        try {
            enter(lease);
        } catch (LeaseLostException | LockException | IllegalStateException e) {
            throw notAcquired(e);
        }
    }

    private void enter(@Nullable Duration lease) {
        hold.enter(lock -> {
            if (lease == null) {
                lock.lock();
            } else {
                lock.lock(lease);
            }
            return true;
        });
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        try {
            hold.enter(lock -> {
                if (timeToLive == null) {
                    lock.lockInterruptibly();
                } else {
                    lock.lockInterruptibly(timeToLive);
                }
                return true;
            });
        } catch (LeaseLostException | LockException | IllegalStateException e) {
            throw notAcquired(e);
        }
    }

    @Override
    public boolean tryLock() {
        return timeToLive == null ? tryEnter(dev.holdfast.DistributedLock::tryLock) : tryLockOnce(timeToLive);
    }

    /** The call does not wait, so an interrupt does not end it. */
    private boolean tryLockOnce(Duration lease) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return tryLockFor(Duration.ZERO, lease);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return tryLockFor(Duration.ofNanos(unit.toNanos(Math.max(0, time))), timeToLive);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        return tryLockFor(waitTime.isNegative() ? Duration.ZERO : waitTime, ttl);
    }

    private boolean tryLockFor(Duration wait, @Nullable Duration lease) throws InterruptedException {
        return tryEnter(lock -> lease == null ? lock.tryLock(wait) : lock.tryLock(wait, lease));
    }

    /** A hold that was lost is no failure, but a lock that the thread does not get in place of it. */
    private <E extends Exception> boolean tryEnter(ThreadHold.Acquire<E> acquire) throws E {
        try {
            return hold.enter(acquire);
        } catch (LeaseLostException e) {
            return false;
        } catch (LockException | IllegalStateException e) {
            throw notAcquired(e);
        }
    }

    private CannotAcquireLockException notAcquired(RuntimeException cause) {
        return new CannotAcquireLockException("Failed to acquire the lock " + hold.name(), cause);
    }

    @Override
    public void unlock() {
        try {
            hold.leave();
        } catch (LeaseLostException e) {
            throw new ConcurrentModificationException("The lock " + hold.name() + " was lost before its release", e);
        } catch (IllegalMonitorStateException e) {
            throw new IllegalStateException("The current thread does not hold the lock " + hold.name(), e);
        } catch (LockException e) {
            throw new DataAccessResourceFailureException(
                    "The release of the lock " + hold.name() + " is not confirmed", e);
        }
    }

    /** A re-entry verifies the hold and makes it last at least as long as the lease. */
    void renew(@Nullable Duration lease) {
        if (!hold.isEntered()) {
            throw new IllegalStateException("The current thread does not hold the lock " + hold.name());
        }
        try {
            enter(lease);
            hold.leave();
        } catch (LeaseLostException | LockException e) {
            throw new IllegalStateException("Could not renew the lock " + hold.name(), e);
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("Conditions are not supported");
    }

    @Override
    public String toString() {
        return "HoldfastLock[" + hold.name() + "]";
    }
}
