package dev.holdfast.campaign.nemesis;

import dev.holdfast.campaign.schedule.FaultPlan;

/** Notified of each fault. */
public interface Witness {
    /** A fault is about to begin: it has had no effect yet. */
    default void begins(FaultPlan fault) {}

    /** A fault has ended, except for its consequences. */
    default void ended(FaultPlan fault) {}

    /** After a fault, all servers are there again. */
    default void repaired(FaultPlan fault) {}
}
