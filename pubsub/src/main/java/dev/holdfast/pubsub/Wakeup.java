package dev.holdfast.pubsub;

/** Why a waiter was told to try. */
public enum Wakeup {
    /** One message, for this waiter alone: who does not act on it must pass it on by leaving. */
    PERMIT,
    /** Everyone in line was told: messages may have been missed, or several subscriptions share the channel. */
    ALL
}
