package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Threads;
import java.util.Collections;

/** One lock for which all threads contend, in one process or in several. */
record HotLock(int processes, int threads) implements Workload {
    @Override
    public String id() {
        return "hot-" + (processes == 1 ? "" : processes + "x") + threads;
    }

    @Override
    public String title() {
        return "One hot lock, " + (processes == 1 ? "" : processes + " processes x ") + threads + " threads";
    }

    @Override
    public String description() {
        return (processes == 1 ? "" : processes + " processes, each with ") + threads
                + " threads that acquire and release one lock, over and over, and do nothing under it. Each process has"
                + " one client.";
    }

    @Override
    public Metric headline() {
        return Metric.ACQUISITIONS;
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Threads task = Threads.hurrying(system, threads, Threads.Names.SHARED);
        try (Crew crew = site.crew(Collections.nCopies(processes, task))) {
            return Observation.of(crew, site).figures();
        }
    }
}
