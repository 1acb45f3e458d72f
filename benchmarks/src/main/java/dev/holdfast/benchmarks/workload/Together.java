package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Sets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Several locks that are acquired together, without contention.
 *
 * @param locks how many
 * @param servers the number of servers on which they lie
 * @param eachWay how long a message takes; zero for no delay
 */
record Together(int locks, int servers, Duration eachWay) implements Workload {
    @Override
    public String id() {
        return "multi-" + (locks == 3 ? servers : locks) + (eachWay.isZero() ? "" : "-link");
    }

    @Override
    public String title() {
        return (locks == 3 ? "Three" : String.format(Locale.ROOT, "%,d", locks)) + " locks together, on "
                + (servers == 1 ? "one server" : servers + " servers")
                + (eachWay.isZero() ? "" : ", over a " + 2 * eachWay.toMillis() + " ms round trip");
    }

    @Override
    public String description() {
        return "One thread acquires and releases " + locks + " locks together, over and over, on "
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
            try (Crew crew = here.crew(List.of(new Sets(system, 1, 1, locks, locks)))) {
                Figures figures = Observation.of(crew, here).figures();
                return figures.put(Metric.ROUND_TRIP, roundTripMicros)
                        .put(Metric.ROUND_TRIPS, figures.get(Metric.WAIT_P50).orElse(Double.NaN) / roundTripMicros);
            }
        }
    }
}
