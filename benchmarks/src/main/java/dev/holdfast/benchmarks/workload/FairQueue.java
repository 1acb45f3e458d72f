package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Overtaking;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Arena;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Tally;
import dev.holdfast.benchmarks.worker.Threads;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** One fair lock for which the threads of several processes contend. */
record FairQueue(int processes, int threads, Duration hold) implements Workload {
    private static final Duration MARGIN = Duration.ofMillis(1);

    @Override
    public String id() {
        return "fair";
    }

    @Override
    public String title() {
        return "A fair lock, " + processes + " processes x " + threads + " threads";
    }

    @Override
    public String description() {
        return processes + " processes, each with " + threads
                + " threads that acquire one fair lock, over and over, and hold" + " it for " + hold.toMillis()
                + " ms. Each process has one client.";
    }

    @Override
    public Metric headline() {
        return Metric.ACQUISITIONS;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return system.hasFairLocks() ? Optional.empty() : Optional.of("it has no fair lock");
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Threads task = new Threads(system, threads, Threads.Names.FAIR, hold, true);
        Observation seen;
        try (Crew crew = site.crew(Collections.nCopies(processes, task))) {
            seen = Observation.of(crew, site);
        }
        long opened = seen.tallies().stream().mapToLong(Tally::opened).max().orElse(0);
        List<Journal.Entry> entries = Arena.journal(site.directory()).entries();
        return seen.figures().put(Metric.OVERTAKEN, Overtaking.percent(entries, opened, MARGIN.toNanos()));
    }
}
