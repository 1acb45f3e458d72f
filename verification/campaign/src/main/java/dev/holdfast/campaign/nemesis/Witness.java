package dev.holdfast.campaign.nemesis;

import dev.holdfast.campaign.schedule.FaultPlan;

/** Is told what the nemesis does. */
public interface Witness {
    /** A fault is about to begin: nothing of it has happened yet. */
    void begins(FaultPlan fault);

    /** A fault has ended: everything is as it was, except for what it has broken. */
    void ended(FaultPlan fault);
}
