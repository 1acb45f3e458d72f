package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.BesideOutage;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Phase;
import dev.holdfast.benchmarks.worker.Tally;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The replicas of a cluster are stopped, so that no replicated lock is granted, while threads of the same process use locks
 * that are not replicated: how long the latter wait, compared with a cluster whose replicas are all up.
 */
record ReplicasPaused() implements Workload {
    private static final int THREADS = 4;

    /** Within it, calls about the replicated lock fail several times. */
    private static final Duration SHORTEST_OUTAGE = Duration.ofSeconds(2);

    @Override
    public String id() {
        return "beside-paused-replicas";
    }

    @Override
    public String title() {
        return "Beside replicas that are stopped";
    }

    @Override
    public String description() {
        return THREADS
                + " threads of one process acquire and release a lock each, over and over, while "
                + BesideOutage.AFFECTED + " threads of the same process contend for a further lock, which \""
                + LockSystem.SELECTED.title() + "\" replicates, by a second client. On " + ClusterDeployment.DESCRIPTION
                + ". All replicas are stopped, so that this lock is not granted, and its calls fail; the waits are those of"
                + " the threads beside. The calm figures are those of the same threads before, in a process of its own.";
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
        return new ReplicatedBeside(1).obstacle(system);
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        try (ClusterDeployment cluster = ClusterDeployment.start()) {
            Site here = cluster.in(site);
            List<String> beside =
                    IntStream.range(0, THREADS).mapToObj(i -> "beside-" + i).toList();
            BesideOutage task = new BesideOutage(system, LockSystem.SELECTED_NAMES + "0", beside);
            Observation calm;
            try (Crew crew = here.crew(List.of(task))) {
                calm = Observation.of(crew, here);
            }
            try (Crew crew = here.crew(List.of(task))) {
                return outage(crew, cluster, here)
                        .put(Metric.CALM_ACQUISITIONS, calm.perSecond(Tally::total))
                        .put(Metric.CALM_WAIT_P99, calm.waits().percentile(0.99) / 1e3);
            }
        }
    }

    private static Figures outage(Crew crew, ClusterDeployment cluster, Site site) throws InterruptedException {
        crew.run(Phase.START);
        Thread.sleep(site.pace().warmUp().toMillis());
        cluster.pauseReplicas();
        crew.run(Phase.OPEN);
        Thread.sleep(Math.max(site.pace().window().toMillis(), SHORTEST_OUTAGE.toMillis()));
        crew.run(Phase.SHUT);
        cluster.resumeReplicas();
        Observation seen = new Observation(crew.stop(), ServerCounters.of(List.of()), 0);
        return seen.figures()
                .only(Metric.ACQUISITIONS, Metric.WAIT_P50, Metric.WAIT_P99, Metric.WAIT_MAX, Metric.VIOLATIONS)
                .put(Metric.FAILURES, seen.failures());
    }
}
