package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.report.Svg.Anchor;
import dev.holdfast.benchmarks.report.Svg.Style;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An overview of all workloads: a row for each, with a dot for each system at the number of times that it is better
 * than Redisson.
 */
final class RatioChart {
    private static final Set<Metric> COMPARED = Set.of(
            Metric.ACQUISITIONS,
            Metric.IDEAL,
            Metric.COLD_FIRST,
            Metric.HANDOVER_P50,
            Metric.CLIENT_CPU_SECONDS,
            Metric.STANDSTILL);
    private static final LockSystem MEASURE = LockSystem.REDISSON;
    private static final int WIDTH = 920;
    private static final int LEFT = 390;
    private static final int RIGHT = 880;
    private static final int TOP = 144;
    private static final int LEGEND = 82;
    private static final int LEGEND_LINE = 22;
    private static final int ROW = 27;
    private static final int FOOT = 44;
    private static final String GRID = "#e6eaef";

    private final List<Row> rows = new ArrayList<>();

    private record Row(String title, Map<LockSystem, Double> ratios) {}

    RatioChart(Results results) {
        for (Workload workload : results.workloads()) {
            List<Entry> entries = results.entries(workload);
            Map<LockSystem, Double> ratios = new EnumMap<>(LockSystem.class);
            for (LockSystem system : LockSystem.values()) {
                Results.ratio(entries, workload.headline(), system, MEASURE)
                        .filter(ratio -> ratio > 0)
                        .ifPresent(ratio -> ratios.put(system, ratio));
            }
            if (ratios.size() > 1 && COMPARED.contains(workload.headline())) {
                rows.add(new Row(workload.title(), ratios));
            }
        }
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    String svg() {
        Axis axis = Axis.forRatios(
                rows.stream().flatMap(row -> row.ratios().values().stream()).toList());
        int bottom = TOP + rows.size() * ROW;
        Svg svg = new Svg(WIDTH, bottom + FOOT);
        svg.text(
                24,
                34,
                Anchor.START,
                Style.TITLE,
                "Throughput, latency or cost relative to " + MEASURE.title() + " (1 = equal)");
        svg.text(
                24,
                55,
                Anchor.START,
                Style.SUBTITLE,
                "by what each workload compares; further right is better; logarithmic axis");
        legend(svg);
        for (double tick : axis.ticks()) {
            double x = x(axis, tick);
            svg.line(x, TOP - 12, x, bottom - 6, tick == 1 ? MEASURE.colour() : GRID, tick == 1 ? 1.6 : 1);
            svg.text(x, bottom + 14, Anchor.MIDDLE, Style.FINE, Metric.format(tick) + " x");
        }
        for (int i = 0; i < rows.size(); i++) {
            draw(svg, axis, rows.get(i), TOP + i * ROW + ROW / 2.0 - 8);
        }
        return svg.toString();
    }

    private void legend(Svg svg) {
        double x = 24;
        double y = LEGEND;
        for (LockSystem system : Arrays.stream(LockSystem.values())
                .filter(candidate -> rows.stream().anyMatch(row -> row.ratios().containsKey(candidate)))
                .toList()) {
            double width = 40 + 6.4 * system.title().length();
            if (x + width > WIDTH) {
                x = 24;
                y += LEGEND_LINE;
            }
            svg.dot(x + 6, y, 6, system.colour());
            svg.text(x + 18, y + 4.5, Anchor.START, Style.SUBTITLE, system.title());
            x += width;
        }
    }

    private static void draw(Svg svg, Axis axis, Row row, double y) {
        svg.text(LEFT - 14, y + 5, Anchor.END, Style.LABEL, row.title());
        svg.line(LEFT, y, RIGHT, y, GRID, 1);
        row.ratios().forEach((system, ratio) -> {
            if (system != LockSystem.HOLDFAST) {
                svg.dot(x(axis, ratio), y, 6.5, system.colour());
            }
        });
        Double ours = row.ratios().get(LockSystem.HOLDFAST);
        if (ours != null) { // last, so that no other dot hides it
            svg.dot(x(axis, ours), y, 6.5, LockSystem.HOLDFAST.colour());
            svg.text(x(axis, ours), y - 10, Anchor.MIDDLE, Style.FINE, Metric.format(ours) + " x");
        }
    }

    private static double x(Axis axis, double value) {
        return LEFT + axis.position(value) * (RIGHT - LEFT);
    }
}
