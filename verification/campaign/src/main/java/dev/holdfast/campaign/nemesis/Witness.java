package dev.holdfast.campaign.nemesis;

import dev.holdfast.campaign.schedule.FaultPlan;

/** Notified of each fault. */
public interface Witness {
    /** A fault is about to begin: it has had no effect yet. */
    void begins(FaultPlan fault);

    /** A fault has ended, except for its consequences. */
    void ended(FaultPlan fault);

    /** After a fault, all servers are there again. */
    void repaired(FaultPlan fault);
}
