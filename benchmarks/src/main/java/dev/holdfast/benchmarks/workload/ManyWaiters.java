package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Holder;
import dev.holdfast.benchmarks.worker.Marks;
import dev.holdfast.benchmarks.worker.Phase;
import dev.holdfast.benchmarks.worker.Tally;
import dev.holdfast.benchmarks.worker.Waiters;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One client that waits for thousands of names at once, and another that holds all of them and releases them. */
record ManyWaiters() implements Workload {
    /** Longer than any library takes to subscribe. */
    private static final Duration LONGEST_SUBSCRIBING = Duration.ofSeconds(12);

    private static final Duration POLL = Duration.ofMillis(100);

    private static final Duration QUIET = Duration.ofMillis(500);

    @Override
    public String id() {
        return "waiters";
    }

    @Override
    public String title() {
        return "Many waiters on as many names in one client";
    }

    @Override
    public String description() {
        return "One client holds 10,000 names (" + Pace.QUICK.crowd()
                + " with --quick). Another one acquires all of them at"
                + " once, with futures and one owner each. When the server has a subscription for each name, or after "
                + LONGEST_SUBSCRIBING.toSeconds()
                + " s, and executes no more scripts, the first one releases all. Heap is the memory of one waiter, the"
                + " future of its caller included.";
    }

    @Override
    public Metric headline() {
        return Metric.FAILURES;
    }

    /** Ten thousand waiters are enough to need no median. */
    @Override
    public int rounds(Pace pace) {
        return 1;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return switch (system) {
            case UNAWAITED -> Optional.of("as Holdfast: the waiting client releases nothing");
            case SPRING -> Optional.of("it has no asynchronous methods; so many waiters would be as many threads");
            case FLOOR, BATCHED -> Optional.of("it does not wait");
            default -> Optional.empty();
        };
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        int names = site.pace().crowd();
        try (Crew holding = site.crew(List.of(new Holder(system, names)))) {
            holding.run(Phase.START);
            int others = site.server().clients().size();
            try (Crew waiting = site.crew(List.of(new Waiters(system, names)))) {
                waiting.run(Phase.START);
                awaitSubscriptions(site.server(), names);
                awaitQuiet(site.server());
                waiting.run(Phase.OPEN);
                int connections = site.server().clients().size() - others;
                waiting.worker(0).send(Phase.SHUT);
                Marks released = holding.stop().get(0).marks();
                waiting.worker(0).await();
                Tally woken = waiting.stop().get(0);
                return figures(names, connections, released, woken.marks());
            }
        }
    }

    private static Figures figures(int names, int connections, Marks released, Marks woken) {
        Figures figures = new Figures()
                .put(Metric.FAILURES, woken.failed())
                .put(Metric.CONNECTIONS, connections)
                .put(Metric.PENDING_TIMERS, woken.timers());
        if (woken.failed() == 0) {
            figures.put(Metric.WOKEN, (woken.at() - released.at()) / 1e6)
                    .put(Metric.HEAP_PER_WAITER, (double) woken.heapBytes() / names);
        } else {
            figures.remark(woken.failed() + " of " + names + " waiters failed: " + woken.why());
        }
        return figures;
    }

    static void awaitSubscriptions(RedisServer server, int names) throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST_SUBSCRIBING.toNanos();
        while (server.channels().size() < names && System.nanoTime() < deadline) {
            Thread.sleep(POLL.toMillis());
        }
    }

    /**
     * A waiter whose subscription was confirmed tries once more. The measurement begins when these tries have been
     * answered, that is when the server executes no more scripts.
     */
    static void awaitQuiet(RedisServer server) throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST_SUBSCRIBING.toNanos();
        double before;
        double now = ServerCounters.of(server).scripts();
        do {
            Thread.sleep(QUIET.toMillis());
            before = now;
            now = ServerCounters.of(server).scripts();
        } while (now > before && System.nanoTime() < deadline);
    }
}
