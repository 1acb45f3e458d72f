package dev.holdfast.campaign.nemesis;

import dev.holdfast.campaign.schedule.FaultPlan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Carries out the faults of a round, one after the other. When it is done, or is interrupted, nothing is wrong any more. */
public final class Nemesis {
    private final Site site;
    private final Witness witness;

    public Nemesis(Site site, Witness witness) {
        this.site = site;
        this.witness = witness;
    }

    /** Returns when the last fault has ended. */
    public void carryOut(List<FaultPlan> faults) throws InterruptedException {
        try {
            for (FaultPlan fault : faults) {
                pause(fault.after());
                carryOut(fault);
            }
        } finally {
            site.heal();
        }
    }

    private void carryOut(FaultPlan fault) throws InterruptedException {
        Affliction affliction = Affliction.of(fault, site);
        witness.begins(fault);
        affliction.begin().run();
        pause(fault.length());
        affliction.end().run();
        witness.ended(fault);
    }

    private static void pause(Duration length) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(length.toNanos());
    }
}
