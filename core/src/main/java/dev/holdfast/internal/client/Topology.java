package dev.holdfast.internal.client;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.session.Home;
import dev.holdfast.internal.session.Homes;
import dev.holdfast.internal.session.RedisHome;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The Redis nodes of a client, and which of its locks is on which of them. */
public interface Topology extends Homes {
    /**
     * Opens the client's connections.
     *
     * @param listeners creates what is called at the beginning and the end of the epochs of a node
     * @return completes when the client can be used
     */
    CompletionStage<@Nullable Void> start(Function<RedisHome, RedisLink.Listener> listeners);

    /** {@return the nodes that are in use} */
    Collection<RedisHome> homes();

    /**
     * {@return one node that has all locks}
     *
     * @param start starts the link of this node
     */
    static Topology of(RedisHome node, Function<RedisLink.Listener, CompletionStage<@Nullable Void>> start) {
        return new Topology() {
            @Override
            public CompletionStage<@Nullable Void> start(Function<RedisHome, RedisLink.Listener> listeners) {
                return start.apply(listeners.apply(node));
            }

            @Override
            public Home of(LockKey lock) {
                return node;
            }

            @Override
            public Collection<RedisHome> homes() {
                return List.of(node);
            }
        };
    }
}
