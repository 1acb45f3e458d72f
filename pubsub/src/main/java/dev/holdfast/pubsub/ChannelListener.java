package dev.holdfast.pubsub;

/**
 * Receives what happens on a channel, in order. It is called on the connection's I/O thread, and must not block.
 */
public interface ChannelListener {
    /** The server has confirmed the subscription, on the first connection or on a later one. */
    void confirmed();

    /** A message has arrived. */
    void message(String message);
}
