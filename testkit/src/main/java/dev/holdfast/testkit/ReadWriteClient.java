package dev.holdfast.testkit;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

/** One client of a {@link ReadWriteFixture}, as {@link ReadWriteLockContract} sees it. What it says of a lock is about both sides. */
public interface ReadWriteClient extends LockClient {
    /** {@return the read-write lock with this name, owned by the threads that use it} */
    ReadWriteLock readWriteLock(String name);

    /** {@return its write lock, so that {@link LockContract} can be run with this client, too} */
    @Override
    default Lock lock(String name) {
        return readWriteLock(name).writeLock();
    }
}
