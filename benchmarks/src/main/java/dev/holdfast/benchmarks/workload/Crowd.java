package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Handovers;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.WaitHistogram;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Arena;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Threads;
import java.time.Duration;
import java.util.Collections;

/** Many clients of one thread each that contend for one lock, like the instances of a service. */
record Crowd(int clients, Duration hold) implements Workload {
    private static final int MOST_PROCESSES = 4;

    @Override
    public String id() {
        return "crowd-" + clients + (hold.isZero() ? "" : "-" + hold.toMillis() + "ms");
    }

    @Override
    public String title() {
        return "A crowd of " + clients + " clients" + (hold.isZero() ? "" : ", held for " + hold.toMillis() + " ms");
    }

    @Override
    public String description() {
        return clients + " clients of one thread each, in " + processes() + " processes, that acquire and release one"
                + " lock, over and over, "
                + (hold.isZero() ? "and do nothing under it." : "and hold it for " + hold.toMillis() + " ms.")
                + " A handover is the time from just before unlock in one client to the return of lock in the next.";
    }

    private int processes() {
        return Math.min(MOST_PROCESSES, clients);
    }

    @Override
    public Metric headline() {
        return Metric.ACQUISITIONS;
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Threads task = new Threads(system, clients / processes(), Threads.Names.CROWD, hold, true);
        Observation seen;
        try (Crew crew = site.crew(Collections.nCopies(processes(), task))) {
            seen = Observation.of(crew, site);
        }
        WaitHistogram handovers = Handovers.of(Arena.journal(site.directory()).entries());
        return seen.figures()
                .put(Metric.HANDOVER_P50, handovers.percentile(0.5) / 1e3)
                .put(Metric.HANDOVER_P99, handovers.percentile(0.99) / 1e3);
    }
}
