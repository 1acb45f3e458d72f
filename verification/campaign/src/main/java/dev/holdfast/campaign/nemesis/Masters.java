package dev.holdfast.campaign.nemesis;

/** Servers of which one takes the place of another. */
public sealed interface Masters extends Servers permits ClusterServers, SentinelServers {
    /** The master of this lock is replaced on request. */
    Affliction replaced(String lock);

    /** The master of this lock is killed, and is a replica when it has been restarted. */
    Affliction killed(String lock);
}
