package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.ReadersAndWriters;
import dev.holdfast.benchmarks.worker.Tally;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * One read-write lock, for which readers and writers contend.
 *
 * @param tasks those of a system, one for each process
 */
record ReadWrite(String id, String title, String description, Function<LockSystem, List<ReadersAndWriters>> tasks)
        implements Workload {
    private static final Duration WORK = Duration.ofMillis(1);

    private static final Duration READ = Duration.ofMillis(2);

    private static final Duration LONG_READ = Duration.ofMillis(200);

    private static final int READERS = 0;

    private static final int WRITERS = 1;

    /** {@return processes whose threads read and write} */
    static ReadWrite mixed(int processes, int threads, int reads) {
        return new ReadWrite(
                "read-write-" + processes + "x" + threads + "-" + reads,
                "A read-write lock, " + processes + " x " + threads + " threads, " + reads + " % reads",
                processes + " processes, each with " + threads
                        + " threads and one client, that acquire one read-write lock and"
                        + " hold it for 1 ms; of 100 acquisitions, " + reads + " read.",
                system -> Collections.nCopies(processes, new ReadersAndWriters(system, threads, reads, WORK)));
    }

    /** {@return readers that leave no moment without a reader, and one writer} */
    static ReadWrite oneWriter() {
        return new ReadWrite(
                "read-write-one-writer",
                "A read-write lock, 16 readers and 1 writer",
                "4 processes with 4 threads each that read for 2 ms, without a pause, and another one whose only thread writes for"
                        + " 1 ms.",
                system ->
                        beside(ReadersAndWriters.readers(system, 4, READ), ReadersAndWriters.writers(system, 1, WORK)));
    }

    /** {@return writers without a pause, and one reader} */
    static ReadWrite oneReader() {
        return new ReadWrite(
                "read-write-one-reader",
                "A read-write lock, 16 writers and 1 reader",
                "4 processes with 4 threads each that write for 1 ms, without a pause, and another one whose only thread reads for"
                        + " 1 ms.",
                system ->
                        beside(ReadersAndWriters.writers(system, 4, WORK), ReadersAndWriters.readers(system, 1, WORK)));
    }

    private static List<ReadersAndWriters> beside(ReadersAndWriters four, ReadersAndWriters one) {
        return Stream.concat(Collections.nCopies(4, four).stream(), Stream.of(one))
                .toList();
    }

    /** {@return the readers of one client} */
    static ReadWrite manyReaders() {
        return new ReadWrite(
                "read-write-1000-readers",
                "A read-write lock, 1,000 readers of one client",
                "1,000 threads of one process that read for 200 ms, over and over.",
                system -> List.of(ReadersAndWriters.readers(system, 1_000, LONG_READ)));
    }

    /** {@return one thread that reads, or writes} */
    static ReadWrite uncontended(boolean reads) {
        String does = reads ? "read" : "write";
        return new ReadWrite(
                "read-write-uncontended-" + does,
                "A read-write lock, uncontended, 1 thread that " + does + "s",
                "One thread acquires and releases a " + does
                        + " lock, over and over; beside it stands `uncontended-1`.",
                system -> List.of(new ReadersAndWriters(system, 1, reads ? 100 : 0, Duration.ZERO)));
    }

    @Override
    public Metric headline() {
        return Metric.ACQUISITIONS;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return obstacleOf(system);
    }

    static Optional<String> obstacleOf(LockSystem system) {
        return system.hasReadWriteLocks() ? Optional.empty() : Optional.of("it has no read-write lock");
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        try (Crew crew = site.crew(tasks.apply(system))) {
            return figures(Observation.of(crew, site));
        }
    }

    /** {@return the figures of a measurement of readers and writers, with those of each side that there was} */
    static Figures figures(Observation seen) {
        double seconds = seen.tallies().stream().mapToLong(Tally::window).max().orElse(0) / 1e9;
        Figures figures = seen.figures()
                .put(Metric.RENEWAL_SCRIPTS, seen.server().scripts())
                .put(Metric.COMMANDS, seen.server().commands() / seconds);
        add(figures, seen, READERS, Metric.READS, Metric.READ_WAIT_MAX);
        add(figures, seen, WRITERS, Metric.WRITES, Metric.WRITE_WAIT_MAX);
        return figures;
    }

    private static void add(Figures figures, Observation seen, int side, Metric perSecond, Metric longest) {
        double acquisitions = sum(seen, tally -> tally.sides().get(side).total() * 1e9 / tally.window());
        double wait = seen.tallies().stream()
                .mapToDouble(tally -> tally.sides().get(side).waits().max())
                .max()
                .orElse(0);
        if (acquisitions > 0 || wait > 0) {
            figures.put(perSecond, acquisitions).put(longest, wait / 1e3);
        }
    }

    private static double sum(Observation seen, ToDoubleFunction<Tally> count) {
        return seen.tallies().stream().mapToDouble(count).sum();
    }
}
