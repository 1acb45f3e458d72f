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
 * Three clients of one library and a Redisson client, the guest, on one lock: whether the guest gets its share of the
 * turns.
 */
record Guest(int threads, Duration hold) implements Workload {
    private static final int HOSTS = 3;

    @Override
    public String id() {
        return hold.isZero() ? "guest" : "guest-" + hold.toMillis() + "ms";
    }

    @Override
    public String title() {
        return "Three clients and a Redisson client on one lock"
                + (hold.isZero() ? "" : ", held for " + hold.toMillis() + " ms");
    }

    @Override
    public String description() {
        return "Four processes x " + threads + " threads that acquire and release one lock, "
                + (hold.isZero() ? "and do nothing under the lock" : "and hold it for " + hold.toMillis() + " ms")
                + ". Three processes use the library named, the fourth (the guest) Redisson; in Redisson's own row all"
                + " four do.";
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
                .map(library -> new Threads(library, threads, Threads.Names.SHARED, hold, true))
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
