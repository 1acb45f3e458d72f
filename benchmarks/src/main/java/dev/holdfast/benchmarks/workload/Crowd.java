package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Handovers;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.WaitHistogram;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Arena;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Threads;
import java.time.Duration;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;

/**
 * Many clients of one thread each that contend for one lock, like the instances of a service.
 *
 * @param start when they are counted
 */
record Crowd(int clients, Duration hold, Start start) implements Workload {
    private static final int MOST_PROCESSES = 4;

    /** When the window is opened. */
    enum Start {
        /** After the usual warm-up. */
        WARM("crowd-%d", "", ""),
        /** At once. */
        COLD("cold-crowd", ", from the start", " Counted from the start."),
        /** After a minute. */
        AFTER_A_MINUTE("cold-crowd-60s", ", after a minute", " Counted after a minute (6 s with --quick).");

        private final String id;
        private final String title;
        private final String counted;

        Start(String id, String title, String counted) {
            this.id = id;
            this.title = title;
            this.counted = counted;
        }
    }

    Crowd(int clients, Duration hold) {
        this(clients, hold, Start.WARM);
    }

    @Override
    public String id() {
        return String.format(Locale.ROOT, start.id, clients) + (hold.isZero() ? "" : "-" + hold.toMillis() + "ms");
    }

    @Override
    public String title() {
        return "A crowd of " + clients + " clients" + (hold.isZero() ? "" : ", held for " + hold.toMillis() + " ms")
                + start.title;
    }

    /** A minute is too long to be repeated. */
    @Override
    public int rounds(Pace pace) {
        return start == Start.AFTER_A_MINUTE ? 1 : pace.rounds();
    }

    private Pace pace(Pace usual) {
        return switch (start) {
            case WARM -> usual;
            case COLD -> usual.withWarmUp(Duration.ZERO);
            case AFTER_A_MINUTE -> usual.withWarmUp(usual.longWindow());
        };
    }

    @Override
    public String description() {
        return clients + " clients of one thread each, in " + processes() + " processes, that acquire and release one"
                + " lock, over and over, "
                + (hold.isZero() ? "and do nothing under it." : "and hold it for " + hold.toMillis() + " ms.")
                + start.counted
                + " A handover is the time from just before unlock in one client to the return of lock in the next.";
    }

    private int processes() {
        return Math.min(MOST_PROCESSES, clients);
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST, LockSystem.REDISSON, LockSystem.SPRING);
    }

    @Override
    public Metric headline() {
        return Metric.ACQUISITIONS;
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Threads task = new Threads(system, clients / processes(), Threads.Names.CROWD, hold, true);
        Site here = site.at(pace(site.pace()));
        Observation seen;
        try (Crew crew = here.crew(Collections.nCopies(processes(), task))) {
            seen = Observation.of(crew, here);
        }
        WaitHistogram handovers = Handovers.of(Arena.journal(site.directory()).entries());
        return seen.figures()
                .put(Metric.HANDOVER_P50, handovers.percentile(0.5) / 1e3)
                .put(Metric.HANDOVER_P99, handovers.percentile(0.99) / 1e3);
    }
}
