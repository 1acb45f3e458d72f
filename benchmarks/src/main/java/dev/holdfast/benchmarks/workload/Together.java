package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Sets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Three locks that are acquired together, without contention.
 *
 * @param servers the number of servers on which they lie
 * @param eachWay how long a message takes; zero for no delay
 */
record Together(int servers, Duration eachWay) implements Workload {
    private static final int LOCKS = 3;

    @Override
    public String id() {
        return "multi-" + servers + (eachWay.isZero() ? "" : "-link");
    }

    @Override
    public String title() {
        return "Three locks together, on " + (servers == 1 ? "one server" : servers + " servers")
                + (eachWay.isZero() ? "" : ", over a " + 2 * eachWay.toMillis() + " ms round trip");
    }

    @Override
    public String description() {
        return "One thread acquires and releases " + LOCKS + " locks together, over and over, on "
                + (servers == 1 ? "one server." : servers + " independent servers, by a client for each.")
                + (eachWay.isZero() ? "" : " Every message takes " + eachWay.toMillis() + " ms.");
    }

    @Override
    public Metric headline() {
        return eachWay.isZero() ? Metric.ACQUISITIONS : Metric.ROUND_TRIPS;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return obstacleTo(system);
    }

    /** {@return the reason why this system cannot acquire several locks together; empty if it can} */
    static Optional<String> obstacleTo(LockSystem system) {
        return system.isRenewing() ? Optional.empty() : Optional.of("it has no locks that are acquired together");
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        try (IndependentServers started = IndependentServers.start(servers, eachWay)) {
            Site here = started.in(site);
            double roundTripMicros =
                    eachWay.isZero() ? Double.NaN : RoundTrip.micros(here.uris().get(0), Duration.ZERO);
            try (Crew crew = here.crew(List.of(new Sets(system, 1, 1, LOCKS, LOCKS)))) {
                Figures figures = Observation.of(crew, here).figures();
                return figures.put(Metric.ROUND_TRIP, roundTripMicros)
                        .put(Metric.ROUND_TRIPS, figures.get(Metric.WAIT_P50).orElse(Double.NaN) / roundTripMicros);
            }
        }
    }
}
