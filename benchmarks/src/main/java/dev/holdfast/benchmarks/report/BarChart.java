package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Spread;
import dev.holdfast.benchmarks.report.Svg.Anchor;
import dev.holdfast.benchmarks.report.Svg.Style;
import dev.holdfast.benchmarks.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * One workload: a bar for each system whose length is its median, with a thin line from the lowest round to the
 * highest.
 */
final class BarChart {
    private static final int WIDTH = 860;
    private static final int LEFT = 250;
    private static final int RIGHT = 710;
    private static final int TOP = 78;
    private static final int ROW = 38;
    private static final int BAR = 22;
    private static final int FOOT = 40;
    private static final String GRID = "#e6eaef";
    private static final String WHISKER = "#1f2328";

    private final Workload workload;
    private final Metric metric;
    private final List<Bar> bars = new ArrayList<>();

    private record Bar(String label, String colour, Spread spread) {}

    BarChart(Workload workload, List<Entry> entries) {
        this.workload = workload;
        this.metric = workload.headline();
        for (Entry entry : entries) {
            entry.spread(metric)
                    .ifPresent(spread -> bars.add(
                            new Bar(entry.system().title(), entry.system().colour(), spread)));
        }
    }

    /** {@return whether no system has a figure} */
    boolean isEmpty() {
        return bars.isEmpty();
    }

    String svg() {
        Axis axis = Axis.forBars(bars.stream().map(bar -> bar.spread().median()).toList());
        int bottom = TOP + bars.size() * ROW;
        Svg svg = new Svg(WIDTH, bottom + FOOT);
        svg.text(24, 34, Anchor.START, Style.TITLE, workload.title());
        svg.text(24, 55, Anchor.START, Style.SUBTITLE, subtitle(axis));
        for (double tick : axis.ticks()) {
            double x = x(axis, tick);
            svg.line(x, TOP - 6, x, bottom, GRID, 1);
            svg.text(x, bottom + 18, Anchor.MIDDLE, Style.FINE, Metric.format(tick));
        }
        for (int i = 0; i < bars.size(); i++) {
            draw(svg, axis, bars.get(i), TOP + i * ROW);
        }
        return svg.toString();
    }

    private String subtitle(Axis axis) {
        return metric.title()
                + (metric.better() == Metric.Better.HIGHER ? "; more is better" : "; less is better")
                + (axis.logarithmic() ? "; logarithmic axis" : "");
    }

    private static void draw(Svg svg, Axis axis, Bar bar, double top) {
        double middle = top + BAR / 2.0;
        double end = x(axis, bar.spread().median());
        svg.text(LEFT - 12, middle + 5, Anchor.END, Style.LABEL, bar.label());
        svg.bar(LEFT, top, end - LEFT, BAR, bar.colour());
        double least = x(axis, bar.spread().min());
        double most = x(axis, bar.spread().max());
        if (most - least > 2) {
            svg.line(least, middle, most, middle, WHISKER, 1.2);
            svg.line(least, middle - 4, least, middle + 4, WHISKER, 1.2);
            svg.line(most, middle - 4, most, middle + 4, WHISKER, 1.2);
        }
        svg.text(
                Math.max(end, most) + 8,
                middle + 5,
                Anchor.START,
                Style.VALUE,
                Metric.format(bar.spread().median()));
    }

    private static double x(Axis axis, double value) {
        return LEFT + axis.position(value) * (RIGHT - LEFT);
    }
}
