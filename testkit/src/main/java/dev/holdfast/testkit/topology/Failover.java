package dev.holdfast.testkit.topology;

/** How a replica takes the place of its master on request. */
public enum Failover {
    /** The master stops accepting writes until the replica has them all, and the other masters vote. */
    AGREED,
    /** Without the master, which may be down; the other masters vote. Writes that were not replicated are lost. */
    FORCE,
    /** Without the master and without a vote. */
    TAKEOVER
}
