package dev.holdfast.cli;

/** Where a {@link Supervision} stands. */
enum RunState {
    /** There is no command yet: the client connects, or waits for the lock. */
    WAITING,
    /** The command runs, and the lock is held. */
    RUNNING,
    /** A signal was passed on to the command, which is expected to end, as are its descendants. */
    STOPPING,
    /** The lock is at risk, and SIGTERM was sent to the command and its descendants. */
    AT_RISK,
    /** The command and its descendants were killed. */
    KILLED,
    /** There is no command any more. */
    ENDED
}
