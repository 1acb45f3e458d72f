package dev.holdfast.campaign.nemesis;

/** The Redis servers of a round, as the targets of faults. */
public sealed interface Servers permits SingleServer, Masters {
    /** Ends every fault of the servers. */
    void heal();
}
