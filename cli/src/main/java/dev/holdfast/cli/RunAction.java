package dev.holdfast.cli;

/** What a {@link Supervision} wants to be done. */
enum RunAction {
    NOTHING,
    /** Start the command. */
    START,
    /** Give up waiting for the lock. */
    GIVE_UP,
    /** Pass the signal on to the command. */
    FORWARD,
    /** Send SIGTERM to the command and its descendants. */
    TERMINATE,
    /** Send SIGKILL to the command and its descendants. */
    KILL
}
