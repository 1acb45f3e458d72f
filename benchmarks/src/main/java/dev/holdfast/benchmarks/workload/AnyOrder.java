package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Sets;
import java.util.Collections;
import java.util.Optional;

/**
 * Locks that are acquired together by many threads, each time others and in any order, so that callers meet which have
 * what the other one needs.
 *
 * @param clients the number of clients
 * @param threads the number of threads of each client
 */
record AnyOrder(int clients, int threads) implements Workload {
    private static final int PROCESSES = 4;
    private static final int LOCKS = 5;
    private static final int MEMBERS = 3;

    /** A library whose attempts time out only after seconds needs a longer window for a few acquisitions. */
    private static final int WINDOWS = 3;

    @Override
    public String id() {
        return "multi-" + clients + "x" + threads;
    }

    @Override
    public String title() {
        return "Three of five locks together, in any order, " + clients + " clients"
                + (threads == 1 ? "" : " x " + threads + " threads");
    }

    @Override
    public String description() {
        return clients + " clients with " + (threads == 1 ? "one thread" : threads + " threads") + " each, in "
                + PROCESSES
                + " processes on one server. Each"
                + " thread acquires " + MEMBERS + " of " + LOCKS + " locks together and releases them, over and over,"
                + " each time others and in any order. The window is "
                + WINDOWS + " times as long as in other workloads.";
    }

    @Override
    public Metric headline() {
        return Metric.ACQUISITIONS;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return Together.obstacleTo(system);
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        Site longer = site.at(site.pace().withWindow(site.pace().window().multipliedBy(WINDOWS)));
        Sets task = new Sets(system, clients / PROCESSES, threads, LOCKS, MEMBERS);
        try (Crew crew = longer.crew(Collections.nCopies(PROCESSES, task))) {
            Observation seen = Observation.of(crew, longer);
            return seen.figures()
                    .put(Metric.UNDONE, seen.perSecond(tally -> tally.marks().undone()))
                    .put(Metric.RESTARTS, seen.perSecond(tally -> tally.marks().restarts()));
        }
    }
}
