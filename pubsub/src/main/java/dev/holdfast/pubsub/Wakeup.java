package dev.holdfast.pubsub;

/** Why a waiter was told to try. */
public enum Wakeup {
    /** One message, for this waiter alone: who does not act on it must pass it on by leaving. */
    PERMIT,
    /** The subscription was confirmed anew, and messages may have been missed: everyone in line was told. */
    ALL
}
