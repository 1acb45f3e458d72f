package dev.holdfast.internal.redis;

import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a link to one of several nodes needs to know of the others. Its methods must not block. */
public interface Routing {
    /** For a server that is alone. */
    Routing NONE = new Routing() {
        @Override
        public boolean isHere(int slot) {
            return true;
        }

        @Override
        public boolean isOneOfSeveral() {
            return false;
        }

        @Override
        public void notExecuted(NotExecutedException why) {}

        @Override
        public @Nullable Consumer<Call> toAsk(Redirection ask) {
            return null;
        }
    };

    /**
     * {@return whether this slot is on the node of this link, as far as is known}
     *
     * <p>If it no longer is, a reply is not believed, because it may be that of a node that was deposed.
     */
    boolean isHere(int slot);

    /** {@return whether channels are sharded on the node of this link} The same throughout an epoch, but for its opening. */
    default boolean isSharded() {
        return false;
    }

    /** {@return whether there are other nodes, to which the locks of this one may move} */
    default boolean isOneOfSeveral() {
        return true;
    }

    /** {@return the silences of a new connection; null if the node cannot be replaced by another one} */
    default @Nullable Silence newSilence() {
        return null;
    }

    /** A call was not executed. Its sender is notified when this has returned. */
    void notExecuted(NotExecutedException why);

    /**
     * A connection was made, which accepts no calls yet. Called on its I/O thread.
     *
     * @param server its address
     * @param first sends a call in that epoch, before all others
     */
    default void connected(SocketAddress server, Consumer<Call> first) {}

    /**
     * Checks that calls may be sent in a new epoch, before its first calls: the server may have been deposed since the last one.
     *
     * @param first sends a call in that epoch
     * @return completes when they may; if it fails, this is called again after a pause
     */
    default CompletionStage<?> confirm(Consumer<Call> first) {
        return CompletableFuture.completedStage(null);
    }

    /**
     * {@return completes when other nodes were asked which one is the master, after this one was silent: with whether they say
     * that this one is} If another one is, its locks have moved before the completion.
     */
    default CompletionStage<Boolean> confirmAgain() {
        return CompletableFuture.completedStage(true);
    }

    /** {@return sends a call to the node that it is to be asked at; null if it is to be sent again later} */
    @Nullable
    Consumer<Call> toAsk(Redirection ask);

    /** This node refuses ASKING, and so the call after it: that is sent again later. */
    default void askingRefused(String error) {}
}
