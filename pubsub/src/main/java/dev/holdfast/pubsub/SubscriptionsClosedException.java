package dev.holdfast.pubsub;

/** The subscription connection was closed for good: no more messages will be received. */
public final class SubscriptionsClosedException extends IllegalStateException {
    SubscriptionsClosedException() {
        super("the subscription connection is closed");
    }
}
