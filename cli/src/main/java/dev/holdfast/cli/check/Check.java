package dev.holdfast.cli.check;

import java.util.Locale;

/** The questions, each with the reason why it matters. */
public enum Check {
    ADDRESS("the address decides which Redis has the locks, and all clients need the same"),
    NODES(
            "the locks of a node that clients cannot reach cannot be used, and a replica that is down takes over for none"),
    NAMES("a name has to lead to one master, and to the next one soon after a failover"),
    VERSION("locks need the commands of Redis 6.2; lines of clients in a cluster, those of 7.0"),
    VERSIONS("a failover to another version changes by which channels clients are notified"),
    ROLE("locks are on a master"),
    RIGHTS("a client or a lock whose commands are refused fails, or waits for longer"),
    RESP3("clients of a cluster from Redis 7.0 on need RESP3, and HELLO says what a server is"),
    SUBSCRIPTIONS("a caller that waits is notified by a message"),
    EVICTION("under any other policy than noeviction, Redis may delete a lock for lack of memory"),
    MEMORY("a Redis that is full refuses grants and renewals, so that locks are lost"),
    PERSISTENCE("a server that restarts forgets the locks that are not on its disk, and its replicas follow it"),
    REPLICAS("a replica takes over, without the locks that it has not received"),
    MIN_REPLICAS("a master that is cut off from two replicas must stop to grant locks; with one replica, it must not"),
    SENTINELS("a client follows more than half of the sentinels that its address names"),
    QUORUM("a failover begins when so many sentinels find the master down"),
    DOWN_AFTER("a failover takes this and some 1.5 s, and leases have to be longer"),
    SLOTS("a lock whose slot has no master cannot be used"),
    NODE_TIMEOUT("a failover takes 1.6 times this and 0.8 s, and leases have to be longer"),
    FULL_COVERAGE("with yes, all locks stand still while one master is replaced"),
    CLOCK("the clock of a server ends leases, and numbers tokens"),
    ROUND_TRIP("a free lock takes two round trips, and a handoff at least one"),
    IDLE_TIMEOUT("a connection that is closed when it is idle costs the next lock a reconnect"),
    KEEPALIVE("a server takes a client that vanished for one that waits, until its connection is closed");

    private final String why;

    Check(String why) {
        this.why = why;
    }

    /** {@return the name that is printed, as in {@code node-timeout}} */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return why it matters} */
    public String why() {
        return why;
    }
}
