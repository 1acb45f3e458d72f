package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Beside;
import dev.holdfast.benchmarks.worker.Crew;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Calls in flight for locks that may be replicated, and threads with other locks beside them: how many acquisitions the
 * former make, and how long the latter wait.
 *
 * @param calls how many calls are in flight
 */
record ReplicatedBeside(int calls) implements Workload {
    private static final int THREADS = 4;

    @Override
    public String id() {
        return "beside-" + calls;
    }

    @Override
    public String title() {
        return "Beside " + calls + (calls == 1 ? " call" : " calls") + " in flight";
    }

    @Override
    public String description() {
        return calls
                + (calls == 1
                        ? " owner that is not a thread acquires and releases a lock"
                        : " owners that are not threads acquire and release a lock each")
                + "; the completion of one call starts the next. " + THREADS
                + " threads of the same process do the same"
                + " with locks of their own, and the waits are theirs. On " + ClusterDeployment.DESCRIPTION
                + ". The locks of the owners are replicated by \"" + LockSystem.SELECTED.title()
                + "\", those of the threads, which have a client of their own there, are not.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST, LockSystem.SELECTED);
    }

    @Override
    public Metric headline() {
        return Metric.WAIT_P99;
    }

    @Override
    public boolean hasReplicas() {
        return true;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return switch (system) {
            case REPLICATED, REDISSON -> Optional.of("the locks of its threads would be replicated as well");
            default -> Deployment.obstacle(system);
        };
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        try (Deployment cluster = ClusterDeployment.start();
                Crew crew = cluster.in(site).crew(List.of(new Beside(system, calls, THREADS)))) {
            Observation seen = Observation.of(crew, cluster.in(site));
            return seen.figures()
                    .only(
                            Metric.ACQUISITIONS,
                            Metric.WAIT_P50,
                            Metric.WAIT_P99,
                            Metric.WAIT_MAX,
                            Metric.CONNECTIONS,
                            Metric.VIOLATIONS)
                    .put(Metric.IN_FLIGHT, seen.perSecond(tally -> tally.marks().done()));
        }
    }
}
