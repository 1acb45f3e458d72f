package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Scatter;
import dev.holdfast.benchmarks.measure.Spread;
import dev.holdfast.benchmarks.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Two builds of Holdfast, measured by turns. The earlier one is measured twice in a round, so that its figures also
 * show how much two measurements of the same build differ.
 *
 * <p>A figure of the later build is <em>worse</em> when its median falls behind that of the earlier build by more than
 * 3 %, and by more than the {@link Scatter} of the earlier build's own figures.
 */
public final class BuildComparison {
    /** The build that was measured. */
    public enum Build {
        /** The earlier build. */
        BEFORE,
        /** The build that the runner itself belongs to. */
        AFTER
    }

    /** The metrics compared: throughput, its cost, memory, and the start of a process. */
    private static final List<Metric> COMPARED = List.of(
            Metric.ACQUISITIONS,
            Metric.CLIENT_CPU,
            Metric.SERVER_CPU,
            Metric.HEAP_PER_HOLD,
            Metric.HEAP_PER_WAITER,
            Metric.COLD_CONNECT,
            Metric.COLD_FIRST,
            Metric.COLD_NEXT_9,
            Metric.COLD_NEXT_90,
            Metric.COLD_PACED,
            Metric.COLD_FIRST_CPU,
            Metric.COLD_NEXT_90_CPU,
            Metric.COLD_PACED_CPU);

    private static final double TOLERATED = 0.03;

    private final Map<String, String> conditions;
    private final Map<String, Map<Build, List<Figures>>> workloads = new LinkedHashMap<>();

    /**
     * A comparison without figures so far.
     *
     * @param conditions the conditions of the measurements, by name
     */
    public BuildComparison(Map<String, String> conditions) {
        this.conditions = conditions;
    }

    /** Adds a measurement. */
    public void measured(Workload workload, Build build, Figures figures) {
        workloads
                .computeIfAbsent(workload.id(), id -> new EnumMap<>(Build.class))
                .computeIfAbsent(build, side -> new ArrayList<>())
                .add(figures);
    }

    /** {@return the number of violations of exclusion} */
    public long violations() {
        return workloads.values().stream()
                .flatMap(builds -> builds.values().stream())
                .flatMap(List::stream)
                .mapToLong(figures -> Math.round(figures.get(Metric.VIOLATIONS).orElse(0)))
                .sum();
    }

    /** {@return the comparison for a terminal} */
    public String plain() {
        return "\n" + table().plain();
    }

    private Table table() {
        Table table = new Table(List.of(
                "workload", "figure", "before", "after", "min..max after", "after : before", "scatter", "after is"));
        workloads.forEach((workload, builds) -> {
            for (Metric metric : COMPARED) {
                row(table, workload, metric, values(builds, Build.BEFORE, metric), values(builds, Build.AFTER, metric));
            }
        });
        return table;
    }

    private static void row(Table table, String workload, Metric metric, List<Double> before, List<Double> after) {
        if (before.size() < 2 || after.isEmpty()) {
            return;
        }
        Spread earlier = Spread.of(before);
        Spread later = Spread.of(after);
        double ratio = metric.ratio(later.median(), earlier.median());
        double scatter = Scatter.of(before);
        table.row(List.of(
                workload,
                metric.label(),
                Metric.format(earlier.median()),
                Metric.format(later.median()),
                Metric.format(later.min()) + ".." + Metric.format(later.max()),
                String.format(Locale.ROOT, "%.3f", ratio),
                String.format(Locale.ROOT, "%.1f %%", 100 * scatter),
                verdict(ratio, scatter)));
    }

    /** @param ratio how many times better the later build is */
    static String verdict(double ratio, double scatter) {
        double tolerated = Math.max(TOLERATED, scatter);
        return ratio < 1 - tolerated ? "WORSE" : ratio > 1 + tolerated ? "better" : "no worse";
    }

    private static List<Double> values(Map<Build, List<Figures>> builds, Build build, Metric metric) {
        return builds.getOrDefault(build, List.of()).stream()
                .flatMap(figures -> figures.get(metric).stream().boxed())
                .toList();
    }

    /** Writes the table and every figure into this directory. */
    public void write(Path directory) {
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve("builds.md"), page());
            Files.writeString(directory.resolve("builds.csv"), raw());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the comparison to " + directory, e);
        }
    }

    private String page() {
        StringBuilder page = new StringBuilder("# Two builds by turns\n\n");
        conditions.forEach((name, value) ->
                page.append("- ").append(name).append(": ").append(value).append('\n'));
        return page.append('\n').append(table().markdown()).toString();
    }

    private String raw() {
        List<String> lines = new ArrayList<>(List.of("workload,build,round,figure,value"));
        workloads.forEach((workload, builds) -> builds.forEach((build, rounds) -> {
            for (int round = 0; round < rounds.size(); round++) {
                String prefix = workload + "," + build.name().toLowerCase(Locale.ROOT) + "," + (round + 1) + ",";
                RawResults.add(lines, prefix, rounds.get(round));
            }
        }));
        return String.join("\n", lines) + "\n";
    }
}
