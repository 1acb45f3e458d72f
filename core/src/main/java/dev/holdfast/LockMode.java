package dev.holdfast;

/** How a holder shares a lock with others. May gain constants: code that switches over it needs a default. */
public enum LockMode {
    /** No other owner holds the lock at the same time. */
    EXCLUSIVE,
    /** Other owners may hold it at the same time in this mode. */
    SHARED
}
