package dev.holdfast;

/** Why a lease was lost before its owner released it. */
public enum LossReason {
    /**
     * It ran out: its explicit length passed, its owner thread had died, it was held for longer than {@code maxHold}, or
     * the process was paused for longer than the lease.
     */
    EXPIRED("it ran out"),
    /** Redis replied that another owner holds the lock. */
    TAKEN("another owner is there"),
    /**
     * The key vanished while the lease was valid: force-unlocked, deleted, flushed, or lost in a restart of the same
     * server, which is one that began while there was no connection, at the same address.
     */
    GONE("its key vanished"),
    /**
     * Another Redis node has the lock by now, after a failover or the move of a slot or of a DNS name, and this node
     * replied that the owner does not hold it: the grant was not replicated. Another owner may have held the lock since,
     * or may hold it. Also where it cannot be excluded that a new connection leads to another server.
     */
    FAILOVER("it did not survive the change to another Redis node"),
    /** It ran out while renewals had no answer from Redis, or too few replicas confirmed them. */
    UNREACHABLE("Redis did not answer its renewals in time"),
    /** It ran out while Redis refused its renewals: a right is missing, or the server accepts no writes. */
    REFUSED("Redis refused its renewals"),
    /** The client was closed while the lock was held. */
    CLOSED("the client was closed");

    private final String explanation;

    LossReason(String explanation) {
        this.explanation = explanation;
    }

    /** {@return the reason as a clause of a message} */
    public String explanation() {
        return explanation;
    }
}
