package dev.holdfast.pubsub;

import io.lettuce.core.protocol.CommandType;

/** How channels are subscribed: messages to channels of one kind are not received on those of the other. */
public enum ChannelKind {
    /** In a cluster, messages reach the subscribers at all nodes. */
    PLAIN(CommandType.SUBSCRIBE, CommandType.UNSUBSCRIBE),

    /**
     * A channel of a cluster has a slot as a key has, and is subscribed at the master of that. Needs Redis 7.0 and
     * RESP3: without that the driver loses messages.
     */
    SHARDED(CommandType.SSUBSCRIBE, CommandType.SUNSUBSCRIBE);

    private final CommandType subscribe;
    private final CommandType unsubscribe;

    ChannelKind(CommandType subscribe, CommandType unsubscribe) {
        this.subscribe = subscribe;
        this.unsubscribe = unsubscribe;
    }

    CommandType subscribe() {
        return subscribe;
    }

    CommandType unsubscribe() {
        return unsubscribe;
    }
}
