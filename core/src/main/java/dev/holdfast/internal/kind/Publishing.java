package dev.holdfast.internal.kind;

/** How releases are published, and whether their subscribers can be counted; depends on the servers. */
public enum Publishing {
    /** On a server that is alone, or a master of its own. */
    SINGLE("PUBLISH", "NUMSUB"),

    /** In a cluster, on a channel of the lock's slot, which is heard at the master of that slot: from Redis 7.0 on. */
    SHARDED("SPUBLISH", "SHARDNUMSUB"),

    /** In a cluster, at all nodes. Each node counts its own subscribers, so nobody knows whether there are any. */
    BROADCAST("PUBLISH", "NUMSUB");

    private final String command;
    private final String count;

    Publishing(String command, String count) {
        this.command = command;
        this.count = count;
    }

    /** {@return the command that publishes} */
    String command() {
        return command;
    }

    /** {@return the subcommand of PUBSUB that counts the subscribers of a channel} */
    String count() {
        return count;
    }

    /** {@return whether the node of a lock knows how many are subscribed to its channel} */
    public boolean isCounted() {
        return this != BROADCAST;
    }

    /** {@return whether calls are sent to a node of a cluster} */
    public boolean isInCluster() {
        return this != SINGLE;
    }
}
