package dev.holdfast;

/** The locks of one kind. */
public interface Locks {
    /** {@return the lock with this name} */
    DistributedLock lock(Holdfast client, String name);
}
