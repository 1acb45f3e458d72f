package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Heap;
import dev.holdfast.benchmarks.worker.Marks;
import dev.holdfast.benchmarks.worker.Phase;
import dev.holdfast.benchmarks.worker.Tally;
import java.util.List;
import java.util.Optional;

/** The heap that each of many things adds to a process. */
record HeapTable() implements Workload {
    private static final int CLIENTS = 10;

    @Override
    public String id() {
        return "heap";
    }

    @Override
    public String title() {
        return "Heap";
    }

    @Override
    public String description() {
        return "The bytes of all live objects, by class histograms before and after as many were made: 10,000 holds,"
                + " waiters, readers and permits (" + Pace.QUICK.crowd() + " with --quick), half as many names, and "
                + CLIENTS
                + " clients. A process of its own for each. The future of a waiter's caller, and the handle of a"
                + " permit's, are included.";
    }

    @Override
    public Metric headline() {
        return Metric.HEAP_PER_HOLD;
    }

    /** Live objects are counted, not sampled. */
    @Override
    public int rounds(Pace pace) {
        return 1;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return systems().contains(system) ? Optional.empty() : Optional.of("it has not all of these");
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        List<Heap.Part> parts = List.of(Heap.Part.values());
        int crowd = site.pace().crowd();
        List<Marks> marks;
        try (Crew crew = site.crew(parts.stream()
                .map(part -> new Heap(system, part, count(part, crowd)))
                .toList())) {
            for (int i = 0; i < parts.size(); i++) { // one after the other, so that no call fails for want of time
                crew.worker(i).run(Phase.START);
                if (parts.get(i) == Heap.Part.WAITERS) {
                    ManyWaiters.awaitSubscriptions(site.server(), crowd);
                }
                ManyWaiters.awaitQuiet(site.server());
                crew.worker(i).run(Phase.OPEN);
            }
            crew.run(Phase.SHUT);
            marks = crew.stop().stream().map(Tally::marks).toList();
        }
        Figures figures = new Figures();
        for (int i = 0; i < parts.size(); i++) {
            Heap.Part part = parts.get(i);
            Marks made = marks.get(i);
            double each = (double) made.heapBytes() / count(part, crowd);
            if (made.failed() > 0) {
                figures.remark(made.failed() + " waiters failed: " + made.why());
            } else {
                figures.put(metric(part), part == Heap.Part.NAMES ? 1_000 * each : each);
            }
        }
        return figures;
    }

    private static int count(Heap.Part part, int crowd) {
        return switch (part) {
            case CLIENTS -> CLIENTS;
            case NAMES -> crowd / 2;
            default -> crowd;
        };
    }

    private static Metric metric(Heap.Part part) {
        return switch (part) {
            case HOLDS -> Metric.HEAP_PER_HOLD;
            case WAITERS_OF_ONE -> Metric.HEAP_PER_WAITER_OF_ONE;
            case WAITERS -> Metric.HEAP_PER_WAITER;
            case CLIENTS -> Metric.HEAP_PER_CLIENT;
            case NAMES -> Metric.HEAP_PER_NAMES;
            case READERS -> Metric.HEAP_PER_READER;
            case PERMITS -> Metric.HEAP_PER_PERMIT;
        };
    }
}
