package dev.holdfast.benchmarks.system;

import java.util.concurrent.locks.Condition;

/** A client of one library, connected to one Redis. */
public interface LockClient extends AutoCloseable {
    /** {@return the lock of this name, for all threads} */
    BlockingLock lock(String name);

    /**
     * {@return the fair lock of this name, for all threads}
     *
     * @throws UnsupportedOperationException if the library has no fair locks
     */
    default BlockingLock fairLock(String name) {
        throw new UnsupportedOperationException("the library has no fair locks");
    }

    /**
     * {@return the read lock or the write lock of this name, for all threads}
     *
     * @throws UnsupportedOperationException if the library has no read-write locks
     */
    default BlockingLock sideOf(String name, boolean reads) {
        throw new UnsupportedOperationException("the library has no read-write locks");
    }

    /**
     * {@return a condition of the lock of this name}
     *
     * @param name that of the condition
     * @throws UnsupportedOperationException if the locks of the library have no conditions
     */
    default Condition condition(String lock, String name) {
        throw new UnsupportedOperationException("the locks of the library have no conditions");
    }

    /**
     * {@return the count-down latch of this name}
     *
     * @throws UnsupportedOperationException if the library has no latches
     */
    default Latch latch(String name) {
        throw new UnsupportedOperationException("the library has no latches");
    }

    /**
     * {@return the semaphore of this name}
     *
     * @param permits how many it has
     * @throws UnsupportedOperationException if the library has no semaphores
     */
    default Limit limit(String name, int permits) {
        throw new UnsupportedOperationException("the library has no semaphores");
    }

    /**
     * {@return the segmented lock of this name, of which a caller acquires any one segment}
     *
     * @throws UnsupportedOperationException if the library has no segmented locks
     */
    default Limit segments(String name, int segments) {
        throw new UnsupportedOperationException("the library has no segmented locks");
    }

    /**
     * {@return the lock of this name, for one owner}
     *
     * @param owner a positive number, different for every owner
     * @throws UnsupportedOperationException if the library has no asynchronous locks
     */
    default AsyncLock asyncLock(String name, long owner) {
        throw new UnsupportedOperationException("the library has no asynchronous methods");
    }

    /**
     * {@return the read lock of this name, for one owner}
     *
     * @param owner as for {@link #asyncLock}
     * @throws UnsupportedOperationException if the library has no asynchronous read locks
     */
    default AsyncLock asyncReader(String name, long owner) {
        throw new UnsupportedOperationException("the library has no asynchronous read locks");
    }

    /** {@return the number of deadlines that the client manages itself, which are not visible as timer entries} */
    default long deadlines() {
        return 0;
    }

    /** Closes the connections. */
    @Override
    void close();
}
