package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.report.Entry;
import dev.holdfast.benchmarks.report.Results;
import dev.holdfast.benchmarks.workload.Site;
import dev.holdfast.benchmarks.workload.Workload;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs the workloads on one server. Within a workload the systems take turns, each once in a round. Each round begins
 * with another system, so that changes on the machine affect all systems alike. Each measurement has its own processes.
 */
final class Runner {
    /** What a round of the longest workload takes. */
    private static final Duration LONGEST_ROUND = Duration.ofMinutes(4);

    private final Options options;
    private final RedisServer server;
    private final Consumer<String> progress;

    Runner(Options options, RedisServer server, Consumer<String> progress) {
        this.options = options;
        this.server = server;
        this.progress = progress;
    }

    /**
     * Runs all workloads, except for the rounds of which there are results.
     *
     * @param results those so far, to which the others are added
     * @param measured is run after each round of a workload
     * @param done is given each workload at its end
     * @return whether all were run, and the time was not over before
     */
    boolean run(Results results, Runnable measured, Consumer<Workload> done) throws InterruptedException {
        long begun = System.nanoTime();
        for (Workload workload : options.workloads()) {
            List<Entry> able = results.begin(workload, options.systems(workload)).stream()
                    .filter(entry -> entry.obstacle().isEmpty())
                    .toList();
            int first = able.stream().mapToInt(Entry::attempts).min().orElse(0);
            int rounds = able.isEmpty() ? 0 : workload.rounds(options.pace());
            for (int round = first; round < rounds; round++) {
                if (isOver(System.nanoTime() - begun)) {
                    return false;
                }
                List<Entry> order = new ArrayList<>(able);
                Collections.rotate(order, -round);
                for (Entry entry : order) {
                    if (entry.attempts() == round) {
                        measure(workload, entry, round);
                    }
                }
                measured.run();
            }
            if (first < rounds || able.isEmpty()) {
                done.accept(workload);
            }
        }
        return true;
    }

    /** {@return whether the time might be over before the end of another round} */
    private boolean isOver(long nanos) {
        return options.time().isPresent()
                && nanos + LONGEST_ROUND.toNanos() > options.time().get().toNanos();
    }

    private void measure(Workload workload, Entry entry, int round) throws InterruptedException {
        String what =
                workload.id() + ", round " + (round + 1) + ", " + entry.system().id();
        try (Site site = Site.prepare(server, options.pace())) {
            Figures figures = workload.measure(entry.system(), site);
            entry.measured(figures);
            figures.get(workload.headline())
                    .ifPresent(value -> progress.accept(what + ": " + Metric.format(value) + " "
                            + workload.headline().label()));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            entry.failed(String.valueOf(e.getMessage()));
            progress.accept(what + ": failed: " + e);
        }
    }
}
