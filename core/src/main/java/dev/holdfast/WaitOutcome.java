package dev.holdfast;

/** How the wait of a call for a lock ended. May gain constants: code that switches over it needs a default. */
public enum WaitOutcome {
    /** The call got the lock. */
    GRANTED,
    /** The time that the call was given passed while the lock was busy. */
    TIMED_OUT,
    /** The caller gave up: its thread was interrupted, or its future was cancelled or completed. */
    ABANDONED,
    /** The call ended with an exception, of which {@link LockListener#failed} tells as well. */
    FAILED
}
