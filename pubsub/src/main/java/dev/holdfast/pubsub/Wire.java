package dev.holdfast.pubsub;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a connection that the channels use. Sending never blocks and never fails: a command that could not
 * be sent is sent again after the reconnect, and a live connection that accepts no command is made to reconnect.
 */
interface Wire {
    /** No connection so far. */
    Wire NONE = new Wire() {
        @Override
        public void start() {}

        @Override
        public boolean isConnected() {
            return false;
        }

        @Override
        public void subscribe(Collection<String> channels) {}

        @Override
        public void unsubscribe(Collection<String> channels) {}

        @Override
        public @Nullable String clientInfo() {
            return null;
        }

        @Override
        public void ping() {}

        @Override
        public void disconnect() {}

        @Override
        public CompletionStage<Void> close() {
            return CompletableFuture.allOf();
        }
    };

    /** Starts to report events; the present connection, if there is one, is the first event. */
    void start();

    boolean isConnected();

    /** Channels are of this kind from now on: if that is another one, the connection is replaced. */
    default void use(ChannelKind kind) {}

    /** {@return whether this is the driver's endpoint of the connection} */
    default boolean isOver(Object endpoint) {
        return false;
    }

    void subscribe(Collection<String> channels);

    void unsubscribe(Collection<String> channels);

    /** {@return the reply to CLIENT INFO on the present connection; null if there is none} */
    @Nullable
    String clientInfo();

    /** Sends a PING, whose reply is reported as {@link Events#received}. */
    void ping();

    /** Closes the present connection, so that the driver reconnects. */
    void disconnect();

    CompletionStage<Void> close();

    /**
     * The events of a connection, reported on its I/O thread, one at a time and in the order in which they happened.
     */
    interface Events {
        void connected();

        void disconnected();

        void subscribed(String channel);

        void unsubscribed(String channel);

        void message(String channel, String message);

        void refused(String channel, Throwable reply);

        /** The server sent a message or a reply of any kind. */
        void received();
    }
}
