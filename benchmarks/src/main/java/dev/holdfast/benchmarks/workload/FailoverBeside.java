package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Standstill;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Arena;
import dev.holdfast.benchmarks.worker.BesideOutage;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Phase;
import dev.holdfast.benchmarks.worker.Tally;
import dev.holdfast.benchmarks.worker.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A master of a cluster is killed while threads of one client use its lock, and others have locks on other masters: how
 * long the latter wait, compared with a cluster whose masters are all up.
 */
record FailoverBeside() implements Workload {
    private static final int THREADS = 4;

    /** As long as the failover takes. */
    private static final Duration CALM =
            ClusterDeployment.NODE_TIMEOUT.multipliedBy(5).dividedBy(2);

    @Override
    public String id() {
        return "failover-beside";
    }

    @Override
    public String title() {
        return "Beside a master that is killed";
    }

    @Override
    public String description() {
        return THREADS
                + " threads of one client acquire and release a lock each, over and over, none of which is on the master"
                + " of a further lock, for which " + BesideOutage.AFFECTED + " threads of the same client contend. On "
                + ClusterDeployment.DESCRIPTION + ", with a node timeout of "
                + ClusterDeployment.NODE_TIMEOUT.toMillis()
                + " ms and without the requirement of full coverage. That master is killed, and the waits are those of the"
                + " threads beside, from the kill until the further lock is acquired again. The calm figures are those of"
                + " the same threads in " + CALM.toMillis() + " ms before, in a process of its own.";
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
        return new Failover(Failover.Of.CLUSTER, Failover.Cause.KILL).obstacle(system);
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        try (ClusterDeployment cluster = ClusterDeployment.startPartlyCovered()) {
            List<String> beside = IntStream.iterate(0, i -> i + 1)
                    .mapToObj(i -> "beside-" + i)
                    .filter(name -> !cluster.areTogether(name, Threads.HOT))
                    .limit(THREADS)
                    .toList();
            Site here = cluster.in(site);
            BesideOutage task = new BesideOutage(system, Threads.HOT, beside);
            Observation calm;
            try (Crew crew = here.crew(List.of(task))) {
                calm = Observation.of(crew, here.at(site.pace().withWindow(CALM)));
            }
            try (Crew crew = here.crew(List.of(task))) {
                return outage(crew, cluster, here)
                        .put(Metric.CALM_ACQUISITIONS, calm.perSecond(Tally::total))
                        .put(Metric.CALM_WAIT_P99, calm.waits().percentile(0.99) / 1e3);
            }
        }
    }

    private static Figures outage(Crew crew, ClusterDeployment cluster, Site site) throws InterruptedException {
        Journal journal = Arena.journal(site.directory());
        crew.run(Phase.START);
        Thread.sleep(site.pace().warmUp().toMillis());
        crew.run(Phase.OPEN);
        long begun = System.nanoTime();
        cluster.failOver(Threads.HOT, Failover.Cause.KILL);
        Failover.awaitRecovery(journal);
        crew.run(Phase.SHUT);
        long end = System.nanoTime();
        Observation seen = new Observation(crew.stop(), ServerCounters.of(List.of()), 0);
        return seen.figures()
                .only(Metric.ACQUISITIONS, Metric.WAIT_P50, Metric.WAIT_P99, Metric.WAIT_MAX, Metric.VIOLATIONS)
                .put(
                        Metric.STANDSTILL,
                        Standstill.of(journal.entries(), begun, end).longest() / 1e6)
                .put(Metric.FAILURES, seen.failures());
    }
}
