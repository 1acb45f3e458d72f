package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Spread;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Workload;
import dev.holdfast.benchmarks.workload.Workloads;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The results of all systems in all workloads. */
public final class Results {
    private final Map<Workload, Map<LockSystem, Entry>> entries = new HashMap<>();

    /** {@return the entry of each system, which is new and empty unless there was one} */
    public List<Entry> begin(Workload workload, List<LockSystem> systems) {
        Map<LockSystem, Entry> ofWorkload = entries.computeIfAbsent(workload, begun -> new EnumMap<>(LockSystem.class));
        return systems.stream()
                .map(system -> ofWorkload.computeIfAbsent(system, begun -> new Entry(workload, begun)))
                .toList();
    }

    /** {@return the workloads that have begun, in the order of a report} */
    public List<Workload> workloads() {
        return entries.keySet().stream()
                .sorted(Comparator.comparing(Workloads.all()::indexOf))
                .toList();
    }

    /** {@return a workload's entries, in the order of the systems} */
    public List<Entry> entries(Workload workload) {
        return List.copyOf(entries.getOrDefault(workload, Map.of()).values());
    }

    /** {@return the systems that have an entry, in that order} */
    List<LockSystem> systems() {
        return entries.values().stream()
                .flatMap(ofWorkload -> ofWorkload.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** {@return the number of violations of exclusion in all rounds} */
    public double violations() {
        return entries.values().stream()
                .flatMap(ofWorkload -> ofWorkload.values().stream())
                .flatMap(entry -> entry.rounds().stream())
                .flatMapToDouble(figures -> figures.get(Metric.VIOLATIONS).stream())
                .sum();
    }

    /** {@return the metrics for which any entry has a figure} */
    static List<Metric> metrics(List<Entry> entries) {
        return Arrays.stream(Metric.values())
                .filter(metric ->
                        entries.stream().anyMatch(entry -> entry.spread(metric).isPresent()))
                .toList();
    }

    /** {@return how many times better the median of one system is than that of another, if both have one} */
    static Optional<Double> ratio(List<Entry> entries, Metric metric, LockSystem one, LockSystem other) {
        Optional<Double> left = median(entries, metric, one);
        Optional<Double> right = median(entries, metric, other);
        return left.isEmpty() || right.isEmpty()
                ? Optional.empty()
                : Optional.of(metric.ratio(left.get(), right.get())).filter(Double::isFinite);
    }

    private static Optional<Double> median(List<Entry> entries, Metric metric, LockSystem system) {
        return of(entries, system).flatMap(entry -> entry.spread(metric)).map(Spread::median);
    }

    /** {@return the entry of this system, if there is one} */
    static Optional<Entry> of(List<Entry> entries, LockSystem system) {
        return entries.stream().filter(entry -> entry.system() == system).findFirst();
    }
}
