package dev.holdfast.internal.kind;

import java.util.Locale;

/** How releases are published, and whether their subscribers can be counted; depends on the server. */
public enum Publishing {
    /** On a server that is alone, or a master of its own. */
    SINGLE("PUBLISH"),

    /** In a cluster, on a channel of the lock's slot, which has its subscribers at the master of that slot: from Redis 7.0 on. */
    SHARDED("SPUBLISH"),

    /** In a cluster, at all nodes. Each node counts its own subscribers, so nobody knows whether there are any. */
    BROADCAST("PUBLISH");

    private final String command;

    Publishing(String command) {
        this.command = command;
    }

    /** {@return the right to run the command that publishes, in the syntax of ACL rules} */
    public String right() {
        return "+" + command.toLowerCase(Locale.ROOT);
    }

    /** {@return whether the node of a lock knows how many are subscribed to its channel} */
    public boolean isCounted() {
        return this != BROADCAST;
    }
}
