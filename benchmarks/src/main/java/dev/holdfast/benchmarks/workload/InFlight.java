package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Chains;
import dev.holdfast.benchmarks.worker.Crew;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Futures instead of threads: a constant number of calls is in flight. */
record InFlight(int calls) implements Workload {
    @Override
    public String id() {
        return "async-" + calls;
    }

    @Override
    public String title() {
        return "Async, " + calls + " in flight";
    }

    @Override
    public String description() {
        return calls
                + " owners that are not threads acquire and release a lock each; the completion of one call starts the "
                + "next. One process, one client.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(
                LockSystem.HOLDFAST, LockSystem.UNAWAITED, LockSystem.REDISSON, LockSystem.FLOOR, LockSystem.BATCHED);
    }

    @Override
    public Metric headline() {
        return Metric.ACQUISITIONS;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return system.isAsync() ? Optional.empty() : Optional.of("it has no asynchronous methods");
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        try (Crew crew = site.crew(List.of(new Chains(system, calls)))) {
            return Observation.of(crew, site).figures();
        }
    }
}
