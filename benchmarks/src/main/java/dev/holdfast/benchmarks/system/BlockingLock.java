package dev.holdfast.benchmarks.system;

import java.util.concurrent.locks.Lock;

/** The lock for which the threads of a workload contend, with the methods of {@link Lock} that they need. */
public interface BlockingLock {
    /** Acquires the lock for the calling thread, however long that takes. */
    void lock();

    /** Releases the lock. */
    void unlock();

    /** {@return a library's lock behind this interface} */
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
