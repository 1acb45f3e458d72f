package dev.holdfast.pubsub;

/**
 * The server refused to subscribe to a channel, usually because of a missing permission. Other channels are not
 * affected. The subscription is tried again with the next {@link Subscriptions#subscribe} to the channel and after each
 * reconnect.
 */
public final class SubscriptionRefusedException extends RuntimeException {
    SubscriptionRefusedException(String channel, Throwable reply) {
        super("cannot subscribe to channel " + channel + ": " + reply.getMessage(), reply);
    }
}
