package dev.holdfast.pubsub;

/**
 * The server refused to subscribe to a channel, for want of permission as a rule. Other channels are not affected. It is
 * asked again upon the next {@link Subscriptions#subscribe} to the channel and after each reconnect.
 */
public final class SubscriptionRefusedException extends RuntimeException {
    SubscriptionRefusedException(String channel, Throwable reply) {
        super("cannot subscribe to channel " + channel + ": " + reply.getMessage(), reply);
    }
}
