package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Permitted;
import dev.holdfast.benchmarks.worker.Tally;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One semaphore, or one segmented lock, for whose permits the threads of several clients contend.
 *
 * @param isFor which systems it is for, beside Holdfast
 * @param task that of a system
 */
record Limited(String id, String title, String description, LockSystem isFor, Function<LockSystem, Permitted> task)
        implements Workload {
    private static final int PERMITS = 4;
    private static final Duration WORK = Duration.ofMillis(3);

    /** {@return clients whose threads request one permit each} */
    static Limited of(int clients, int threads) {
        return new Limited(
                "semaphore-" + clients + "x" + threads,
                "A semaphore, " + clients + (clients == 1 ? " client x " : " clients x ") + threads
                        + (threads == 1 ? " thread" : " threads"),
                clients + (clients == 1 ? " client" : " clients") + " with " + threads
                        + (threads == 1 ? " thread" : " threads") + " each, in one process, that acquire one of "
                        + PERMITS + " permits, over and over, and hold it for 3 ms. Of Redisson it is"
                        + " `RPermitExpirableSemaphore`, with a lease of 30 s.",
                LockSystem.REDISSON,
                system -> new Permitted(system, clients, threads, false, PERMITS, 0, 1, WORK));
    }

    /** {@return clients whose threads acquire any one segment of a segmented lock} */
    static Limited segments(int segments) {
        return new Limited(
                "segments-" + segments,
                "A lock of " + segments + " segments, 8 clients x 4 threads",
                "8 clients with 4 threads each, in one process, that acquire any one of " + segments
                        + " segments, over and over, and hold it for 3 ms.",
                LockSystem.HOLDFAST,
                system -> new Permitted(system, 8, 4, true, segments, 0, 1, WORK));
    }

    /** {@return clients of which the first one always requests all permits} */
    static Limited large() {
        return new Limited(
                "semaphore-large",
                "A semaphore, 1 client for all permits, and 7",
                "8 clients of one thread each, in one process; the first one acquires all " + PERMITS
                        + " permits, over and over, and the others one each. Each holds them for 3 ms.",
                LockSystem.REDISSON,
                system -> new Permitted(system, 8, 1, false, PERMITS, 0, PERMITS, WORK));
    }

    /** {@return many clients in line for one permit, beside many holders} */
    static Limited beside(int holders, int clients) {
        return new Limited(
                "semaphore-beside-" + holders,
                "A semaphore, " + clients + " clients in line beside " + holders + " holders",
                clients
                        + " clients of one thread each, in one process, that acquire and release the last permit, over and over,"
                        + " while the first client holds " + holders + ".",
                LockSystem.HOLDFAST,
                system -> new Permitted(system, clients, 1, false, holders + 1, holders, 1, Duration.ZERO));
    }

    @Override
    public Set<LockSystem> systems() {
        return Stream.of(LockSystem.HOLDFAST, isFor).collect(Collectors.toSet());
    }

    @Override
    public Metric headline() {
        return Metric.ACQUISITIONS;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return system == LockSystem.HOLDFAST || system == isFor
                ? Optional.empty()
                : Optional.of("it has none, or that of Holdfast, or is not what this is about");
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Observation seen;
        try (Crew crew = site.crew(List.of(task.apply(system)))) {
            seen = Observation.of(crew, site);
        }
        Tally tally = seen.tallies().get(0);
        List<Long> turns = tally.acquisitions();
        return seen.figures()
                .put(Metric.SCRIPT_TIME, seen.server().scriptMicros() / seen.acquisitions())
                .put(Metric.WITHOUT_TURN, turns.stream().filter(own -> own == 0).count())
                .put(Metric.FIRST_SHARE, (double) turns.get(0) * turns.size() / tally.total());
    }
}
