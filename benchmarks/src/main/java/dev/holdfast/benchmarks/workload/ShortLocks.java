package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Phase;
import dev.holdfast.benchmarks.worker.Tally;
import dev.holdfast.benchmarks.worker.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A minute of locks that are released long before any renewal is due: the renewals that are sent nevertheless, and the
 * timers that remain.
 */
record ShortLocks(int threads, Duration hold) implements Workload {
    @Override
    public String id() {
        return "short";
    }

    @Override
    public String title() {
        return "A minute of short locks";
    }

    @Override
    public String description() {
        return threads + " threads, each with a lock of its own, acquire it, sleep for " + hold.toMillis()
                + " ms and release it, for a minute (" + Pace.QUICK.longWindow().toSeconds()
                + " s with --quick). Renewals are all scripts beyond two per acquisition. Pending timers are counted"
                + " while the threads still run.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST, LockSystem.REDISSON, LockSystem.SPRING);
    }

    @Override
    public Metric headline() {
        return Metric.PENDING_TIMERS;
    }

    /** A minute is long enough to need no median. */
    @Override
    public int rounds(Pace pace) {
        return 1;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return system.isLock() ? Optional.empty() : Optional.of("it has no timers and renews nothing");
    }

    /**
     * Scripts are counted from before the first acquisition to after the last release, so that both scripts of each
     * acquisition are counted.
     */
    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        try (Crew crew = site.crew(List.of(new Threads(system, threads, Threads.Names.OWN, hold, false)))) {
            ServerCounters before = ServerCounters.of(site.server());
            crew.run(Phase.START);
            crew.run(Phase.OPEN);
            Thread.sleep(site.pace().longWindow().toMillis());
            int connections = site.server().clients().size();
            crew.run(Phase.SHUT);
            List<Tally> tallies = crew.stop();
            ServerCounters counted = ServerCounters.of(site.server()).minus(before);
            double ever =
                    tallies.stream().mapToDouble(tally -> (double) tally.ever()).sum();
            return new Observation(tallies, counted, connections)
                    .figures()
                    .only(
                            Metric.ACQUISITIONS,
                            Metric.CLIENT_CPU,
                            Metric.CONNECTIONS,
                            Metric.PENDING_TIMERS,
                            Metric.VIOLATIONS)
                    .put(Metric.RENEWALS, counted.scripts() - 2 * ever);
        }
    }
}
