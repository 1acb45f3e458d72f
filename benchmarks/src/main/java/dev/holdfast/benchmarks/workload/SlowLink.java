package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Threads;
import dev.holdfast.testkit.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** One hot lock over a network instead of the loopback: the cost of a long round trip. */
record SlowLink(int threads, Duration eachWay) implements Workload {
    @Override
    public String id() {
        return "link-" + threads;
    }

    @Override
    public String title() {
        return "One hot lock over a " + 2 * eachWay.toMillis() + " ms round trip, " + threads + " threads";
    }

    @Override
    public String description() {
        return "As hot-" + threads + ", through a proxy that delivers every message " + eachWay.toMillis()
                + " ms after its arrival, in either direction, however many are in flight. The round trip is measured"
                + " before.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST, LockSystem.UNAWAITED, LockSystem.REDISSON, LockSystem.SPRING);
    }

    @Override
    public Metric headline() {
        return Metric.ACQUISITIONS;
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Threads task = Threads.hurrying(system, threads, Threads.Names.SHARED);
        try (FaultProxy proxy =
                FaultProxy.inFrontOf(site.server().host(), site.server().port())) {
            proxy.delay(eachWay);
            double roundTripMicros = RoundTrip.micros(proxy.uri(), Duration.ZERO);
            try (Crew crew = site.crew(proxy.uri(), List.of(task))) {
                return Observation.of(crew, site).figures().put(Metric.ROUND_TRIP, roundTripMicros);
            }
        }
    }
}
