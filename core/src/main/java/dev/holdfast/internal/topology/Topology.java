package dev.holdfast.internal.topology;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.RedisLink;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** The Redis nodes of a client, and which of its locks is on which of them. */
public interface Topology extends Homes {
    /** What a client does at changes of its nodes. */
    interface Events {
        /** {@return what is called at the beginning and the end of the epochs of this node} */
        RedisLink.Listener of(RedisHome node);

        /** These locks have other homes by now. */
        void moved(Predicate<LockKey> locks);

        /** {@return whether the client holds any lock, which it may have lost in a failover that ended no connection} */
        boolean holdsAny();

        /** {@return whether the client uses any of these locks: holds it, waits for it or has a command about it in progress} */
        boolean usesAny(Predicate<LockKey> locks);
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

    /**
     * {@return one node that has all locks}
     *
     * @param start starts the link of this node
     */
    static Topology of(RedisHome node, Function<RedisLink.Listener, CompletionStage<?>> start) {
        return new Topology() {
            @Override
            public CompletionStage<?> start(Events events) {
                return start.apply(events.of(node));
            }

            @Override
            public boolean isConnected() {
                return node.isConnected();
            }

            @Override
            public List<ConnectionProblem> problems() {
                return node.problem().stream().toList();
            }

            @Override
            public CompletionStage<?> stop() {
                return CompletableFuture.completedStage(null);
            }

            @Override
            public Home of(LockKey lock) {
                return node;
            }

            @Override
            public boolean canMove() {
                return false;
            }

            @Override
            public Collection<RedisHome> homes() {
                return List.of(node);
            }
        };
    }
}
