package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.report.Entry;
import dev.holdfast.benchmarks.report.Results;
import dev.holdfast.benchmarks.workload.Site;
import dev.holdfast.benchmarks.workload.Workload;
import dev.holdfast.testkit.RedisServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Runs the workloads on one server. Within a workload the systems take turns, each once in a round. Each round begins
 * with another system, so that changes on the machine affect all systems alike. Each measurement has its own processes.
 */
final class Runner {
    private final Options options;
    private final RedisServer server;
    private final Consumer<String> progress;

    Runner(Options options, RedisServer server, Consumer<String> progress) {
        this.options = options;
        this.server = server;
        this.progress = progress;
    }

    /**
     * Runs all workloads.
     *
     * @param done is given each workload at its end, with the results so far
     */
    Results run(BiConsumer<Workload, Results> done) throws InterruptedException {
        Results results = new Results();
        for (Workload workload : options.workloads()) {
            List<Entry> able = results.begin(workload, options.systems()).stream()
                    .filter(entry -> entry.obstacle().isEmpty())
                    .toList();
            int rounds = workload.rounds(options.pace());
            for (int round = 0; round < rounds && !able.isEmpty(); round++) {
                List<Entry> order = new ArrayList<>(able);
                Collections.rotate(order, -round);
                for (Entry entry : order) {
                    measure(workload, entry, round);
                }
            }
            done.accept(workload, results);
        }
        return results;
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
