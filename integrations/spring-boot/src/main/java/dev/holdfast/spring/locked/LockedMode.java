package dev.holdfast.spring.locked;

/** Whether a call shares its lock with others. */
public enum LockedMode {
    /** No other owner has the lock at the same time: it is that of {@link dev.holdfast.Holdfast#getLock}. */
    EXCLUSIVE,
    /** The read lock of {@link dev.holdfast.Holdfast#getReadWriteLock}, which readers share. */
    READ,
    /** The write lock of {@link dev.holdfast.Holdfast#getReadWriteLock}, which excludes readers and other writers. */
    WRITE
}
