package dev.holdfast.pubsub;

/** The subscription connection was closed for good: nothing will be heard any more. */
public final class SubscriptionsClosedException extends IllegalStateException {
    SubscriptionsClosedException() {
        super("the subscription connection is closed");
    }
}
