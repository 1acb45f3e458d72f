package dev.holdfast.internal.node;

import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.pubsub.Subscriptions;
import org.jspecify.annotations.Nullable;

/**
 * The Redis node on which a lock is: where its commands are sent and its releases are published. All commands about one
 * lock go over the one connection of its home, in the order in which they are sent.
 */
public interface Home {
    /** Sends a call about a lock, or settles it at once as not sent if there is no connection. */
    void send(SynchronizerKey lock, Call call);

    /** Sends a call that is about no key, or settles it at once as not sent if there is no connection. */
    void send(Call call);

    /** Counts a call whose outcome is unknown. */
    void noteOutcome(Call call);

    /**
     * {@return for how long there has been no connection, if that is a command timeout or longer; otherwise null} A call
     * without a wait fails at once while there is such an outage.
     */
    @Nullable
    Outage outage();

    /** {@return the number of the connection's epoch; 0 while no calls are accepted} */
    long epochNumber();

    /**
     * {@return whether its recent replies show that this node has not been replaced by another one} A server that is
     * alone is not.
     */
    boolean isSteady();

    /** {@return whether this is known to be the server of the former home, which was restarted and may lack data} */
    default boolean isRestarted() {
        return false;
    }

    /** Ends an epoch, if it is the present one of this node: its connection is closed, and opened again. */
    void restart(long epochNumber, Throwable why);

    /** {@return the subscriptions to the channels of this node} */
    Subscriptions channels();

    /** {@return why calls cannot be sent at present, for lack of a connection; null if they can} */
    @Nullable
    Throwable whyDown();

    /** {@return how releases are published at this node} */
    Publishing publishing();

    /** {@return what waits for a connection to this node} */
    ConnectionWait connectionWait();

    /** {@return the diagnosis of this node's errors} */
    RedisErrors errors();

    /** {@return what the replies to its handoffs have shown} */
    HandoffReplies handoffReplies();
}
