package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.WaitHistogram;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.PingPong;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The time from unlock in one client to the return of lock in another. */
record Handover() implements Workload {
    private static final Duration SETTLE = Duration.ofMillis(4);

    @Override
    public String id() {
        return "handover";
    }

    @Override
    public String title() {
        return "Handover between two clients";
    }

    @Override
    public String description() {
        return "Two clients in one process pass one lock to each other. The holder releases it 4 ms after the other has"
                + " begun to acquire it, so that the wait is set up. The round trip is that of a ping after 4 ms of"
                + " rest.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST, LockSystem.REDISSON, LockSystem.SPRING);
    }

    @Override
    public Metric headline() {
        return Metric.HANDOVER_P50;
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        try (Crew crew = site.crew(List.of(new PingPong(system, SETTLE)))) {
            Observation seen = Observation.of(crew, site);
            WaitHistogram handovers = seen.waits();
            return seen.figures()
                    .only(
                            Metric.SCRIPTS,
                            Metric.BYTES,
                            Metric.SERVER_CPU,
                            Metric.CLIENT_CPU,
                            Metric.CONNECTIONS,
                            Metric.VIOLATIONS)
                    .put(Metric.HANDOVER_P50, handovers.percentile(0.5) / 1e3)
                    .put(Metric.HANDOVER_P99, handovers.percentile(0.99) / 1e3)
                    .put(Metric.HANDOVER_MAX, handovers.max() / 1e3)
                    .put(Metric.ROUND_TRIP, RoundTrip.micros(site.server().uri(), SETTLE));
        }
    }
}
