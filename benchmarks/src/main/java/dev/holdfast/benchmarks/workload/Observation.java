package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Fairness;
import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.WaitHistogram;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Phase;
import dev.holdfast.benchmarks.worker.Tally;
import dev.holdfast.testkit.RedisServer;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The result of a measurement of contenders that all ran from before the window opened until after it was shut.
 *
 * @param tallies the counts of each worker
 * @param server the counts of the servers over the measurement
 * @param connections the number of connections to the servers
 */
record Observation(List<Tally> tallies, ServerCounters server, int connections) {
    /** Starts a crew, lets it warm up, counts for the length of the window, and stops it. */
    static Observation of(Crew crew, Site site) throws InterruptedException {
        List<RedisServer> servers = site.servers();
        crew.run(Phase.START);
        Thread.sleep(site.pace().warmUp().toMillis());
        int connections = site.connections();
        crew.run(Phase.OPEN);
        ServerCounters before = ServerCounters.of(servers);
        Thread.sleep(site.pace().window().toMillis());
        ServerCounters counted = ServerCounters.of(servers).minus(before);
        crew.run(Phase.SHUT);
        return new Observation(crew.stop(), counted, connections);
    }

    /** {@return the acquisitions of all contenders} */
    double acquisitions() {
        return tallies.stream().mapToLong(Tally::total).sum();
    }

    /** {@return the calls that have failed, of contenders that try again} */
    long failures() {
        return tallies.stream().mapToLong(tally -> tally.marks().failed()).sum();
    }

    /** {@return the waits of all contenders} */
    WaitHistogram waits() {
        WaitHistogram all = new WaitHistogram();
        tallies.forEach(tally -> all.add(tally.waits()));
        return all;
    }

    /** {@return the figures that every workload has} Figures per acquisition are left out if there was none. */
    Figures figures() {
        WaitHistogram waits = waits();
        double acquisitions = acquisitions();
        Figures figures = new Figures()
                .put(Metric.ACQUISITIONS, perSecond(Tally::total))
                .put(Metric.WAIT_P50, waits.percentile(0.5) / 1e3)
                .put(Metric.WAIT_P99, waits.percentile(0.99) / 1e3)
                .put(Metric.WAIT_MAX, waits.max() / 1e3)
                .put(Metric.SCRIPTS, server.scripts() / acquisitions)
                .put(Metric.BYTES, server.bytes() / acquisitions)
                .put(Metric.SERVER_CPU, server.cpuMicros() / acquisitions)
                .put(Metric.CLIENT_CPU, cpuNanos() / 1e3 / acquisitions)
                .put(Metric.CONNECTIONS, connections)
                .put(Metric.PENDING_TIMERS, pendingTimers())
                .put(Metric.VIOLATIONS, violations());
        long[] threads = tallies.stream()
                .flatMapToLong(tally -> tally.acquisitions().stream().mapToLong(Long::longValue))
                .toArray();
        if (server.waits() > 0) {
            figures.put(Metric.WAITS, server.waits() / acquisitions);
        }
        if (threads.length > 1) {
            figures.put(Metric.THREAD_FAIRNESS, Fairness.jain(threads));
        }
        if (tallies.size() > 1) {
            figures.put(
                    Metric.PROCESS_FAIRNESS,
                    Fairness.jain(tallies.stream().mapToLong(Tally::total).toArray()));
        }
        return figures;
    }

    /** {@return the timers of one client, on average} */
    double pendingTimers() {
        return tallies.stream()
                .mapToDouble(tally -> (double) tally.marks().timers())
                .average()
                .orElse(0);
    }

    double cpuNanos() {
        return tallies.stream().mapToLong(Tally::cpu).sum();
    }

    /** {@return the sum of what each worker has counted within the window, per second} */
    double perSecond(ToLongFunction<Tally> count) {
        return tallies.stream()
                .mapToDouble(tally -> count.applyAsLong(tally) * 1e9 / tally.window())
                .sum();
    }

    /** Workers that share a referee each report its count, so the largest one is taken. */
    private long violations() {
        return tallies.stream().mapToLong(Tally::violations).max().orElse(0);
    }
}
