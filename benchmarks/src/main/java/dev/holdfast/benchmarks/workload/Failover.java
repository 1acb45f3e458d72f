package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Standstill;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Arena;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Phase;
import dev.holdfast.benchmarks.worker.Tally;
import dev.holdfast.benchmarks.worker.Threads;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A replica takes the place of a lock's master while threads contend for it: how long nobody acquires the lock. */
record Failover(Of what, Cause cause) implements Workload {
    private static final int PROCESSES = 2;
    private static final int THREADS = 4;
    private static final Duration HOLD = Duration.ofMillis(1);

    /** No master that was killed is replaced before that, and the calls that were in flight have ended. */
    private static final Duration NOT_BEFORE = Duration.ofSeconds(1);

    private static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(45);
    private static final Duration POLL = Duration.ofMillis(50);

    /** What fails over. */
    enum Of {
        CLUSTER(
                "a cluster",
                ClusterDeployment.DESCRIPTION,
                "a node timeout of " + ClusterDeployment.NODE_TIMEOUT.toMillis() + " ms"),
        SENTINEL(
                "a master under sentinels",
                SentinelDeployment.DESCRIPTION,
                "down-after-milliseconds of " + SentinelDeployment.DOWN_AFTER.toMillis());

        private final String title;
        private final String description;
        private final String setting;

        Of(String title, String description, String setting) {
            this.title = title;
            this.description = description;
            this.setting = setting;
        }

        private Deployment start() {
            return switch (this) {
                case CLUSTER -> ClusterDeployment.start();
                case SENTINEL -> SentinelDeployment.start();
            };
        }
    }

    /** Why the replica takes the place of the master. */
    enum Cause {
        KILL("", ", killed", "the lock's master is killed, and not started again"),
        REQUEST("-planned", ", planned", "a replica is told to take the place of the lock's master, which agrees");

        private final String id;
        private final String title;
        private final String description;

        Cause(String id, String title, String description) {
            this.id = id;
            this.title = title;
            this.description = description;
        }
    }

    @Override
    public String id() {
        return "failover-" + what.name().toLowerCase(Locale.ROOT) + cause.id;
    }

    @Override
    public String title() {
        return "Failover of " + what.title + cause.title;
    }

    @Override
    public String description() {
        return PROCESSES + " processes, each with " + THREADS
                + " threads of one client that acquire and release one lock,"
                + " over and over, and hold it for " + HOLD.toMillis() + " ms. On " + what.description + ", with "
                + what.setting
                + ". In the middle " + cause.description + ". A thread whose call"
                + " fails tries again 10 ms later. Counted is from then until the lock has been acquired for a"
                + " window's length again.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST, LockSystem.REPLICATED, LockSystem.REDISSON);
    }

    @Override
    public Metric headline() {
        return Metric.STANDSTILL;
    }

    @Override
    public boolean hasReplicas() {
        return true;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return switch (system) {
            case REPLICATED ->
                what == Of.SENTINEL || cause != Cause.KILL
                        ? Optional.empty()
                        : Optional.of("after the failover no replica is left that would confirm a grant");
            case SELECTED -> Optional.of("as Holdfast: the lock is not selected");
            default -> Deployment.obstacle(system);
        };
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Threads task =
                new Threads(system, THREADS, Threads.Names.SHARED, HOLD, false, true, Threads.OnFailure.TRY_AGAIN);
        try (Deployment servers = what.start();
                Crew crew = servers.in(site).crew(Collections.nCopies(PROCESSES, task))) {
            Journal journal = Arena.journal(site.directory());
            crew.run(Phase.START);
            Thread.sleep(site.pace().warmUp().toMillis());
            crew.run(Phase.OPEN);
            long begun = System.nanoTime();
            servers.failOver(Threads.HOT, cause);
            awaitRecovery(journal);
            Thread.sleep(site.pace().window().toMillis());
            long end = System.nanoTime();
            crew.run(Phase.SHUT);
            List<Tally> tallies = crew.stop();
            Standstill standstill = Standstill.of(journal.entries(), begun, end);
            return new Figures()
                    .put(Metric.STANDSTILL, standstill.longest() / 1e6)
                    .put(Metric.OVERLAPS, standstill.overlaps())
                    .put(
                            Metric.FAILURES,
                            tallies.stream()
                                    .mapToLong(tally -> tally.marks().failed())
                                    .sum());
        }
    }

    /** A master has just failed: returns when its lock has been acquired again, or at the time limit. */
    static void awaitRecovery(Journal journal) throws InterruptedException {
        Thread.sleep(NOT_BEFORE.toMillis());
        long now = System.nanoTime();
        while (journal.last() < now && System.nanoTime() - now < LONGEST_STANDSTILL.toNanos()) {
            Thread.sleep(POLL.toMillis());
        }
    }
}
