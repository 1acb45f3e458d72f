package dev.holdfast.campaign.nemesis;

/** The Redis servers of a round, as the targets of faults. */
public sealed interface Servers permits SingleServer, Masters {
    /** Ends every fault of the servers. */
    void heal();

    /** {@return whether these locks have one master, so that both can be lost with it} */
    default boolean areTogether(String lock, String other) {
        return true;
    }
}
