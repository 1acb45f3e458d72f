package dev.holdfast.benchmarks.system;

import java.util.concurrent.locks.Lock;

/** What the threads of a workload contend for: as much of a {@link Lock} as they need. */
public interface BlockingLock {
    /** Takes the lock for the calling thread, however long that takes. */
    void lock();

    /** Gives it back. */
    void unlock();

    /** {@return a library's lock, as it is} */
    static BlockingLock of(Lock lock) {
        return new BlockingLock() {
            @Override
            public void lock() {
                lock.lock();
            }

            @Override
            public void unlock() {
                lock.unlock();
            }
        };
    }
}
