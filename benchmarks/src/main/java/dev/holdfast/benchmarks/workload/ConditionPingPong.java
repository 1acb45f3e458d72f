package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Handovers;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.WaitHistogram;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Arena;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.TakingTurns;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/** Two clients that take turns under one lock, by two conditions. */
record ConditionPingPong() implements Workload {
    @Override
    public String id() {
        return "condition-ping-pong";
    }

    @Override
    public String title() {
        return "Two clients that take turns by conditions";
    }

    @Override
    public String description() {
        return "Two clients of one thread each, in two processes, take turns under one lock, and do nothing in a turn. At the"
                + " end of it, each signals the condition of the other, and waits for its own. An acquisition is a turn."
                + " A handover is the time from just before await in one client to the return of await in the other.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST);
    }

    @Override
    public Metric headline() {
        return Metric.HANDOVER_P50;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return system.hasConditions() ? Optional.empty() : Optional.of("its locks have no conditions");
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Observation seen;
        try (Crew crew = site.crew(Collections.nCopies(2, new TakingTurns(system)))) {
            seen = Observation.of(crew, site);
        }
        WaitHistogram handovers = Handovers.of(Arena.journal(site.directory()).entries());
        return seen.figures()
                .put(Metric.SCRIPT_TIME, seen.server().scriptMicros() / seen.acquisitions())
                .put(Metric.HANDOVER_P50, handovers.percentile(0.5) / 1e3)
                .put(Metric.HANDOVER_P99, handovers.percentile(0.99) / 1e3);
    }
}
