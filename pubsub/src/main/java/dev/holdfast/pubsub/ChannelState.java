package dev.holdfast.pubsub;

/** What one channel is to the present connection; the picture is in {@link Channel}. */
enum ChannelState {
    /** Nothing is subscribed and nothing is under way: new, or there is no connection. */
    ABSENT,
    /** SUBSCRIBE was sent and is not answered yet. */
    SUBSCRIBING,
    /** The server confirmed: from here on every message is heard. */
    SUBSCRIBED,
    /** UNSUBSCRIBE was sent and is not answered yet. */
    UNSUBSCRIBING,
    /** The server said no. */
    REFUSED,
    /** Forgotten: another object takes over when the name comes up again. */
    RETIRED
}
