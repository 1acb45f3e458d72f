package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Threads;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Threads without contention: each acquires and releases a lock of its own. */
record Uncontended(int threads) implements Workload {
    @Override
    public String id() {
        return "uncontended-" + threads;
    }

    @Override
    public String title() {
        return "Uncontended, " + (threads == 1 ? "1 thread" : threads + " threads");
    }

    @Override
    public String description() {
        return (threads == 1 ? "One thread acquires and releases one lock" : "Threads acquire and release a lock each")
                + ", over and over, in one process with one client.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(
                LockSystem.HOLDFAST, LockSystem.UNAWAITED, LockSystem.REDISSON, LockSystem.SPRING, LockSystem.FLOOR);
    }

    @Override
    public Metric headline() {
        return Metric.ACQUISITIONS;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return Optional.empty();
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        try (Crew crew = site.crew(List.of(Threads.hurrying(system, threads, Threads.Names.OWN)))) {
            return Observation.of(crew, site).figures();
        }
    }
}
