package dev.holdfast.benchmarks.workload;

import static java.util.stream.Collectors.groupingBy;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.WaitHistogram;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Arena;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Openings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The time from the last countdown of a latch to the return of await in many clients. */
record Opening(int clients) implements Workload {
    private static final Duration SETTLE = Duration.ofMillis(20);

    @Override
    public String id() {
        return "latch";
    }

    @Override
    public String title() {
        return "A latch that " + clients + " clients await";
    }

    @Override
    public String description() {
        return clients
                + " clients of one thread each, in one process, await a latch; another one counts it down from one,"
                + " 20 ms after all have begun to wait. Then they do so with the next latch. An acquisition is the return"
                + " of await in one client. The round trip is that of a ping after 20 ms of rest.";
    }

    @Override
    public Metric headline() {
        return Metric.ALL_BACK_P50;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return system.hasLatches() ? Optional.empty() : Optional.of("it has no latches, or those of Holdfast");
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Observation seen;
        try (Crew crew = site.crew(List.of(new Openings(system, clients, SETTLE)))) {
            seen = Observation.of(crew, site);
        }
        return seen.figures()
                .only(Metric.SCRIPTS, Metric.BYTES, Metric.SERVER_CPU, Metric.CLIENT_CPU, Metric.CONNECTIONS)
                .put(Metric.BACK_P50, seen.waits().percentile(0.5) / 1e3)
                .put(
                        Metric.ALL_BACK_P50,
                        lastOfEach(Arena.journal(site.directory()).entries()).percentile(0.5) / 1e3)
                .put(Metric.ROUND_TRIP, RoundTrip.micros(site.server().uri(), SETTLE));
    }

    /** {@return of each opening, the time until the last client has returned} */
    private static WaitHistogram lastOfEach(List<Journal.Entry> entries) {
        WaitHistogram times = new WaitHistogram();
        entries.stream()
                .collect(groupingBy(Journal.Entry::requested))
                .forEach((opened, returns) -> times.record(
                        returns.stream().mapToLong(Journal.Entry::entered).max().orElse(opened) - opened));
        return times;
    }
}
