package dev.holdfast;

/** How the wait of an acquire call ended. May gain constants: code that switches over it needs a default. */
public enum WaitOutcome {
    /** The lock was granted to the call. */
    GRANTED,
    /** The wait time of the call passed while the lock was busy. */
    TIMED_OUT,
    /** The caller gave up: its thread was interrupted, or its future was cancelled or completed. */
    ABANDONED,
    /** The call ended with an exception, for which {@link LockListener#failed} is called as well. */
    FAILED
}
