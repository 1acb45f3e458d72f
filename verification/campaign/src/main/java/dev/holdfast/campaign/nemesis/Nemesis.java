package dev.holdfast.campaign.nemesis;

import dev.holdfast.campaign.schedule.FaultPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Injects the faults of a round, one after the other, or one while another lasts. When it returns or is interrupted,
 * the network, the server and stopped clients work again. Confined to one thread.
 */
public final class Nemesis {
    private final Site site;
    private final Witness witness;
    private final Time time;
    private final long began;
    private final List<Lasting> lasting = new ArrayList<>();

    /** @param until by the clock of the nemesis */
    private record Lasting(FaultPlan fault, Affliction affliction, long until) {}

    public Nemesis(Site site, Witness witness) {
        this(site, witness, Time.SYSTEM);
    }

    Nemesis(Site site, Witness witness, Time time) {
        this.site = site;
        this.witness = witness;
        this.time = time;
        this.began = time.nanos();
    }

    /** Injects the faults, and returns when the last one has ended. */
    public void carryOut(List<FaultPlan> faults) throws InterruptedException {
        try {
            for (FaultPlan fault : faults) {
                if (!fault.overlaps()) {
                    endAll();
                }
                waitUntil(now() + fault.after().toNanos());
                begin(fault);
            }
            endAll();
        } finally {
            site.heal();
        }
    }

    private void begin(FaultPlan fault) {
        Affliction affliction = Affliction.of(fault, site);
        witness.begins(fault);
        affliction.begin().run();
        lasting.add(new Lasting(fault, affliction, now() + fault.length().toNanos()));
        lasting.sort(Comparator.comparingLong(Lasting::until));
    }

    private void endAll() throws InterruptedException {
        while (!lasting.isEmpty()) {
            waitUntil(lasting.get(0).until());
        }
    }

    /** Ends the faults that are due until then. */
    private void waitUntil(long end) throws InterruptedException {
        while (!lasting.isEmpty() && lasting.get(0).until() <= end) {
            Lasting next = lasting.remove(0);
            sleepUntil(next.until());
            next.affliction().end().run();
            witness.ended(next.fault());
            next.affliction().repair().run();
            witness.repaired(next.fault());
        }
        sleepUntil(end);
    }

    private void sleepUntil(long end) throws InterruptedException {
        time.sleep(end - now());
    }

    private long now() {
        return time.nanos() - began;
    }
}
