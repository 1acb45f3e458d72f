package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Spread;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The figures as tables: medians over the rounds, and for the headline figure also the lowest and the highest. */
final class Tables {
    private static final String NOTHING = "-";

    private Tables() {}

    /** {@return all figures of a workload: a row for each system that has any} */
    static Table figures(Workload workload, List<Entry> entries) {
        List<Metric> metrics = Results.metrics(entries);
        List<String> titles = new ArrayList<>(List.of("system"));
        for (Metric metric : metrics) {
            titles.add(metric.label());
            if (metric == workload.headline()) {
                titles.add("min..max");
            }
        }
        Table table = new Table(titles);
        for (Entry entry : entries) {
            if (entry.rounds().isEmpty()) {
                continue;
            }
            List<String> cells = new ArrayList<>(List.of(entry.system().title()));
            for (Metric metric : metrics) {
                Optional<Spread> spread = entry.spread(metric);
                cells.add(spread.map(seen -> Metric.format(seen.median())).orElse(NOTHING));
                if (metric == workload.headline()) {
                    cells.add(spread.map(seen -> Metric.format(seen.min()) + ".." + Metric.format(seen.max()))
                            .orElse(NOTHING));
                }
            }
            table.row(cells);
        }
        return table;
    }

    /** {@return the headline figures of all workloads, and how many times better Holdfast is than Redisson} */
    static Table overview(Results results) {
        List<LockSystem> systems = results.systems();
        Table table = new Table(Stream.of(
                        Stream.of("workload", "figure"),
                        systems.stream().map(LockSystem::title),
                        Stream.of("x " + LockSystem.REDISSON.title()))
                .flatMap(titles -> titles)
                .toList());
        for (Workload workload : results.workloads()) {
            List<Entry> entries = results.entries(workload);
            Metric metric = workload.headline();
            List<String> cells = new ArrayList<>(List.of(workload.id(), metric.label()));
            for (LockSystem system : systems) {
                cells.add(Results.of(entries, system)
                        .flatMap(entry -> entry.spread(metric))
                        .map(spread -> Metric.format(spread.median()))
                        .orElse(NOTHING));
            }
            cells.add(Results.ratio(entries, metric, LockSystem.HOLDFAST, LockSystem.REDISSON)
                    .map(Metric::format)
                    .orElse(NOTHING));
            table.row(cells);
        }
        return table;
    }
}
