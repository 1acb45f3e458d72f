package dev.holdfast;

/** Which type of lock an event is about. May gain constants: code that switches over it needs a default. */
public enum LockType {
    /** {@link Holdfast#getLock}. */
    PLAIN,
    /** {@link Holdfast#getFencedLock}. */
    FENCED
}
