package dev.holdfast.pubsub;

/** Why a waiter was woken. */
public enum Wakeup {
    /** One message, for this waiter alone: a caller that does not act on it must pass it on by leaving. */
    PERMIT,
    /** All waiters in line were woken: messages may have been missed. */
    ALL
}
