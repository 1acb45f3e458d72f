package dev.holdfast;

/** The type of lock that an event is about. May gain constants: code that switches over it needs a default. */
public enum LockType {
    /** {@link Holdfast#getLock}. */
    PLAIN,
    /** {@link Holdfast#getFencedLock}. */
    FENCED,
    /** {@link Holdfast#getFairLock}. */
    FAIR,
    /** The read lock of {@link Holdfast#getReadWriteLock}. */
    READ,
    /** The write lock of {@link Holdfast#getReadWriteLock}. */
    WRITE,
    /** {@link Holdfast#getSemaphore}. */
    SEMAPHORE
}
