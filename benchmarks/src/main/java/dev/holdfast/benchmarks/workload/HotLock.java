package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Threads;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;

/**
 * One lock for which all threads contend, in one process or in several.
 *
 * @param section how long a thread works under the lock
 */
record HotLock(String id, String title, int processes, int threads, Duration section, Set<LockSystem> systems)
        implements Workload {
    /** {@return threads that do nothing under the lock} */
    static HotLock empty(int processes, int threads) {
        return new HotLock(
                "hot-" + (processes == 1 ? "" : processes + "x") + threads,
                "One hot lock, " + contenders(processes, threads),
                processes,
                threads,
                Duration.ZERO,
                Set.of(LockSystem.HOLDFAST, LockSystem.UNAWAITED, LockSystem.REDISSON, LockSystem.SPRING));
    }

    /** {@return 8 threads with critical sections of this length; in one process, beside a lock of the JDK} */
    static HotLock sections(int processes, Duration section) {
        int threads = 8 / processes;
        return new HotLock(
                "sections-" + (processes == 1 ? "" : processes + "x" + threads + "-") + length(section, ""),
                "Sections of " + length(section, " ") + ", " + contenders(processes, threads),
                processes,
                threads,
                section,
                processes == 1
                        ? Set.of(LockSystem.HOLDFAST, LockSystem.UNAWAITED, LockSystem.REDISSON, LockSystem.JDK)
                        : Set.of(LockSystem.HOLDFAST, LockSystem.UNAWAITED, LockSystem.REDISSON));
    }

    private static String contenders(int processes, int threads) {
        return (processes == 1 ? "" : processes + " processes x ") + threads + " threads";
    }

    private static String length(Duration section, String space) {
        long micros = section.toNanos() / 1_000;
        return micros == 0 ? "0" : micros < 1_000 ? micros + space + "us" : micros / 1_000 + space + "ms";
    }

    @Override
    public String description() {
        return (processes == 1 ? "" : processes + " processes, each with ") + threads
                + " threads that acquire and release one lock, over and over, and "
                + (section.isZero()
                        ? "do nothing under it."
                        : "keep a processor busy under it for " + length(section, " ") + ", by the clock.")
                + " Each process has one client.";
    }

    @Override
    public Metric headline() {
        return section.isZero() ? Metric.ACQUISITIONS : Metric.IDEAL;
    }

    @Override
    public boolean isOfOneProcess() {
        return processes == 1;
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Threads task = Threads.working(system, threads, section);
        try (Crew crew = site.crew(Collections.nCopies(processes, task))) {
            Figures figures = Observation.of(crew, site).figures();
            double perSecond = figures.get(Metric.ACQUISITIONS).orElse(Double.NaN);
            return section.isZero() ? figures : figures.put(Metric.IDEAL, perSecond * section.toNanos() / 1e7);
        }
    }
}
