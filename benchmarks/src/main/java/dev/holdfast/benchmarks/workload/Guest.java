package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Turns;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Arena;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Tally;
import dev.holdfast.benchmarks.worker.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Several clients of one library and a Redisson client, the guest, on one lock: whether the guest gets its share of the
 * turns.
 */
record Guest() implements Workload {
    /** The number of clients of the library. */
    private static final int HOSTS = 8;

    private static final Duration HOLD = Duration.ofMillis(1);

    @Override
    public String id() {
        return "guest-of-9-1ms";
    }

    @Override
    public String title() {
        return "8 clients and a Redisson client on one lock, held for 1 ms";
    }

    @Override
    public String description() {
        return "9 processes x 1 thread that acquire and release one lock, and hold it for 1 ms. All but one use the"
                + " library named, the last one (the guest) Redisson; in Redisson's own row all do.";
    }

    @Override
    public Metric headline() {
        return Metric.GUEST_TURNS;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return system == LockSystem.SPRING
                ? Optional.of("its locks and Redisson's do not exclude each other")
                : Workload.super.obstacle(system);
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        List<Threads> tasks = Stream.concat(Stream.generate(() -> system).limit(HOSTS), Stream.of(LockSystem.REDISSON))
                .map(library -> new Threads(library, 1, Threads.Names.SHARED, HOLD, true))
                .toList();
        Observation seen;
        try (Crew crew = site.crew(tasks)) {
            seen = Observation.of(crew, site);
        }
        Turns turns =
                Turns.of(within(seen.tallies(), Arena.journal(site.directory()).entries()), tasks.size());
        return seen.figures()
                .put(Metric.GUEST_TURNS, turns.turnsPercent(HOSTS))
                .put(Metric.GUEST_ACQUISITIONS, turns.acquisitionsPercent(HOSTS))
                .put(Metric.GUEST_HELD, turns.heldPercent(HOSTS))
                .put(Metric.GUEST_WAIT_MAX, seen.tallies().get(HOSTS).waits().max() / 1e3)
                .put(
                        Metric.LEAST_TURNS,
                        IntStream.range(0, HOSTS)
                                .mapToDouble(turns::turnsPercent)
                                .min()
                                .orElse(Double.NaN))
                .put(Metric.TURNS, turns.turns() * 1e9 / turns.nanos());
    }

    /** Only the acquisitions made while the windows of all workers were open. */
    private static List<Journal.Entry> within(List<Tally> tallies, List<Journal.Entry> entries) {
        long from = tallies.stream().mapToLong(Tally::opened).max().orElse(0);
        long to = tallies.stream()
                .mapToLong(tally -> tally.opened() + tally.window())
                .min()
                .orElse(0);
        return entries.stream()
                .filter(entry -> entry.entered() >= from && entry.entered() < to)
                .toList();
    }
}
