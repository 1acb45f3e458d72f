package org.apache.curator.framework.recipes.locks;

import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.peers.CuratorClients;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.CuratorFramework;

/**
 * Holdfast's read-write lock, under the name of Curator's: the tests create it by its constructor, so it stands before Curator's on the
 * class path. It has what the tests that are run need.
 */
public final class InterProcessReadWriteLock {
    private final ReadLock readLock;
    private final WriteLock writeLock;

    public InterProcessReadWriteLock(CuratorFramework framework, String path) {
        DistributedReadWriteLock lock = CuratorClients.of(framework).getReadWriteLock(path);
        readLock = new ReadLock(lock.readLock());
        writeLock = new WriteLock(lock.writeLock());
    }

    public ReadLock readLock() {
        return readLock;
    }

    public WriteLock writeLock() {
        return writeLock;
    }

    /** One of the two locks. */
    private abstract static class Side implements InterProcessLock {
        private final Lock lock;

        Side(Lock lock) {
            this.lock = lock;
        }

        @Override
        public void acquire() {
            lock.lock();
        }

        /** Curator's lock waits in vain for an owner that reads, and asks to write; Holdfast's throws at once. */
        @Override
        public boolean acquire(long time, TimeUnit unit) throws InterruptedException {
            try {
                return lock.tryLock(time, unit);
            } catch (IllegalStateException upgrade) {
                return false;
            }
        }

        @Override
        public void release() {
            lock.unlock();
        }

        @Override
        public boolean isAcquiredInThisProcess() {
            throw new UnsupportedOperationException("no test asks for it");
        }
    }

    public static final class ReadLock extends Side {
        private ReadLock(Lock lock) {
            super(lock);
        }
    }

    public static final class WriteLock extends Side {
        private WriteLock(Lock lock) {
            super(lock);
        }
    }
}
