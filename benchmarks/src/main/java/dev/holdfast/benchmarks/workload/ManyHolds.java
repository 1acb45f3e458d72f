package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Holder;
import dev.holdfast.benchmarks.worker.Phase;
import dev.holdfast.benchmarks.worker.Tally;
import dev.holdfast.testkit.RedisServer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** One client that holds very many locks and renews their leases. */
record ManyHolds() implements Workload {
    @Override
    public String id() {
        return "holds";
    }

    @Override
    public String title() {
        return "Many holds under the watchdog";
    }

    @Override
    public String description() {
        return "One client acquires 100,000 locks without explicit leases and holds them for a minute, with a watchdog"
                + " timeout of 30 s for each library, so that all renew equally often ("
                + Pace.QUICK.holds() + " holds, "
                + Pace.QUICK.longWindow().toSeconds() + " s and "
                + Pace.QUICK.watchdogTimeout().toSeconds()
                + " s with --quick). Heap is the memory of the library for one"
                + " hold; its caller keeps nothing. A hold is lost if its key is missing before its release.";
    }

    @Override
    public Metric headline() {
        return Metric.CLIENT_CPU_SECONDS;
    }

    /** A minute is long enough to need no median. */
    @Override
    public int rounds(Pace pace) {
        return 1;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return switch (system) {
            case UNAWAITED -> Optional.of("as Holdfast: nothing is released while it is measured");
            case SPRING ->
                Optional.of("it renews no lock unless it is given a scheduler, and has no asynchronous methods");
            case FLOOR, BATCHED -> Optional.of("it renews nothing");
            default -> Optional.empty();
        };
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws InterruptedException {
        int holds = site.pace().holds();
        RedisServer server = site.server();
        try (Crew crew = site.crew(site.uris(), site.pace().watchdogTimeout(), List.of(new Holder(system, holds)))) {
            long keysBefore = keys(server);
            crew.run(Phase.START);
            crew.run(Phase.OPEN);
            ServerCounters before = ServerCounters.of(server);
            Thread.sleep(site.pace().longWindow().toMillis());
            ServerCounters counted = ServerCounters.of(server).minus(before);
            long kept = keys(server) - keysBefore;
            int connections = server.clients().size();
            crew.run(Phase.SHUT);
            Tally tally = crew.stop().get(0);
            return new Figures()
                    .put(Metric.CLIENT_CPU_SECONDS, tally.cpu() / 1e9)
                    .put(Metric.SERVER_CPU_SECONDS, counted.cpuMicros() / 1e6)
                    .put(Metric.LOST, holds - kept)
                    .put(Metric.HEAP_PER_HOLD, (double) tally.marks().heapBytes() / holds)
                    .put(Metric.RENEWAL_SCRIPTS, counted.scripts())
                    .put(Metric.RENEWAL_BYTES, counted.bytes())
                    .put(Metric.CONNECTIONS, connections)
                    .put(Metric.PENDING_TIMERS, tally.marks().timers());
        }
    }

    private static long keys(RedisServer server) {
        return Long.parseLong(Objects.toString(server.command("DBSIZE")));
    }
}
