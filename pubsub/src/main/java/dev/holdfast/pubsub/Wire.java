package dev.holdfast.pubsub;

import java.util.Collection;
import java.util.concurrent.CompletionStage;

/**
 * What the channels need of a connection. Sending never blocks and never fails: what could not be sent is asked for again
 * after the reconnect, which a live connection that takes no command is made to do.
 */
interface Wire {
    /** Starts to report; the present connection, if there is one, is the first thing reported. */
    void start();

    boolean isConnected();

    /** {@return whether the calling thread is the one that reports} Known once the server has said something. */
    boolean isIoThread();

    void subscribe(Collection<String> channels);

    void unsubscribe(Collection<String> channels);

    /** Asks for a sign of life, to be reported as {@link Events#heard}. */
    void ping();

    /** Gives up the present connection, so that a new one is made. */
    void disconnect();

    CompletionStage<Void> close();

    /** What a connection reports, on its I/O thread, one at a time and in the order it happened. */
    interface Events {
        void connected();

        void disconnected();

        void subscribed(String channel);

        void unsubscribed(String channel);

        void message(String channel);

        void refused(String channel, Throwable reply);

        /** The server said something, be it only that it is there. */
        void heard();
    }
}
