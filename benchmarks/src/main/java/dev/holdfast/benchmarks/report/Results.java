package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Spread;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Workload;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The results of all systems in all workloads. */
public final class Results {
    private final Map<Workload, List<Entry>> entries = new LinkedHashMap<>();

    /** {@return a new and empty entry for each system} */
    public List<Entry> begin(Workload workload, List<LockSystem> systems) {
        List<Entry> begun =
                systems.stream().map(system -> new Entry(workload, system)).toList();
        entries.put(workload, begun);
        return begun;
    }

    /** {@return the workloads that have begun, in that order} */
    public List<Workload> workloads() {
        return List.copyOf(entries.keySet());
    }

    /** {@return a workload's entries, in the order of the systems} */
    public List<Entry> entries(Workload workload) {
        return entries.getOrDefault(workload, List.of());
    }

    /** {@return the number of violations of exclusion in all rounds} */
    public double violations() {
        return entries.values().stream()
                .flatMap(List::stream)
                .flatMap(entry -> entry.rounds().stream())
                .flatMapToDouble(figures -> figures.get(Metric.VIOLATIONS).stream())
                .sum();
    }

    /** {@return the metrics for which any entry has a figure} */
    public static List<Metric> metrics(List<Entry> entries) {
        return Arrays.stream(Metric.values())
                .filter(metric ->
                        entries.stream().anyMatch(entry -> entry.spread(metric).isPresent()))
                .toList();
    }

    /** {@return how many times better the median of one system is than that of another, if both have one} */
    public static Optional<Double> ratio(List<Entry> entries, Metric metric, LockSystem one, LockSystem other) {
        Optional<Double> left = median(entries, metric, one);
        Optional<Double> right = median(entries, metric, other);
        return left.isEmpty() || right.isEmpty()
                ? Optional.empty()
                : Optional.of(metric.ratio(left.get(), right.get())).filter(Double::isFinite);
    }

    private static Optional<Double> median(List<Entry> entries, Metric metric, LockSystem system) {
        return entries.stream()
                .filter(entry -> entry.system() == system)
                .findFirst()
                .flatMap(entry -> entry.spread(metric))
                .map(Spread::median);
    }
}
