package dev.holdfast.pubsub;

/** The state of one channel on the present connection; the state diagram is in {@link Channel}. */
enum ChannelState {
    /** Not subscribed, and no command is in flight: the channel is new, or there is no connection. */
    ABSENT,
    /** SUBSCRIBE was sent and has no reply yet. */
    SUBSCRIBING,
    /** The server confirmed the subscription: from here on every message is received. */
    SUBSCRIBED,
    /** UNSUBSCRIBE was sent and has no reply yet. */
    UNSUBSCRIBING,
    /** The server refused the subscription. */
    REFUSED,
    /** Forgotten: a new object is created when the name is used again. */
    RETIRED
}
