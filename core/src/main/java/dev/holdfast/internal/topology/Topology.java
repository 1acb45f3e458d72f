package dev.holdfast.internal.topology;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.RedisLink;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** The Redis nodes of a client, and which of its locks is on which of them. */
public interface Topology extends Homes {
    /** What a client does at changes of its nodes. */
    interface Events {
        /** {@return what is called at the beginning and the end of the epochs of this node} */
        RedisLink.Listener of(RedisHome node);

        /** These locks have other homes by now. */
        void moved(Predicate<SynchronizerKey> locks);

        /** {@return whether the client holds any lock, which it may have lost in a failover that ended no connection} */
        boolean holdsAny();
    }

    /**
     * Opens the client's connections.
     *
     * @return completes when the client can be used
     */
    CompletionStage<?> start(Events events);

    /** {@return the nodes of which the client has connections} */
    Collection<RedisHome> homes();

    /** {@return whether all nodes that are in use are connected} */
    boolean isConnected();

    /** {@return why nodes in use cannot be used, or not as they should be; empty if all can} */
    List<ConnectionProblem> problems();

    /** {@return whether locks have slots, in which all of their keys and channels have to be} */
    default boolean hasSlots() {
        return false;
    }

    /**
     * Opens no further connections: those of all {@link #homes} are about to be closed.
     *
     * @return completes when all others are closed
     */
    CompletionStage<?> stop();
}
