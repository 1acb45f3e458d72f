package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.ConditionWaiters;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Marks;
import dev.holdfast.benchmarks.worker.Tally;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Many threads of one client that wait for one condition. */
record ConditionWaits() implements Workload {
    private static final int MOST_THREADS = 1_000;

    @Override
    public String id() {
        return "condition-waiters";
    }

    @Override
    public String title() {
        return "Many waiters for one condition in one client";
    }

    @Override
    public String description() {
        return MOST_THREADS + " threads of one client wait for one condition, and are signalled at the end."
                + " Heap is the memory of one waiter; its thread has had the lock before, and is not included. Scripts are those while"
                + " all wait.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST);
    }

    @Override
    public Metric headline() {
        return Metric.HEAP_PER_WAITER;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return system.hasConditions() ? Optional.empty() : Optional.of("its locks have no conditions");
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        int threads = Math.min(MOST_THREADS, site.pace().crowd());
        try (Crew crew =
                site.crew(site.uris(), site.pace().watchdogTimeout(), List.of(new ConditionWaiters(system, threads)))) {
            Observation seen = Observation.of(crew, site);
            Tally tally = seen.tallies().get(0);
            Marks marks = tally.marks();
            return new Figures()
                    .put(Metric.HEAP_PER_WAITER, (double) marks.heapBytes() / threads)
                    .put(Metric.FAILURES, marks.failed())
                    .put(Metric.RENEWAL_SCRIPTS, seen.server().scripts())
                    .put(Metric.PENDING_TIMERS, marks.timers());
        }
    }
}
