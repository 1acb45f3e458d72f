package dev.holdfast.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The mapping of values to positions between the two ends of a chart.
 *
 * @param logarithmic whether equal distances are equal ratios
 * @param low the value at the left end
 * @param high the value at the right end
 */
record Axis(boolean logarithmic, double low, double high) {
    /** From this ratio of the largest value to the smallest, a linear axis would make the smallest bars invisible. */
    private static final double LARGE = 15;

    private static final int STEPS = 5;

    /** {@return an axis for bars of these lengths, which are not negative} */
    static Axis forBars(List<Double> values) {
        double max = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        double min = values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(value -> value > 0)
                .min()
                .orElse(max);
        boolean zero = values.stream().anyMatch(value -> value == 0);
        return !zero && max / min > LARGE
                ? new Axis(true, powerBelow(min), max)
                : new Axis(false, 0, max > 0 ? max : 1);
    }

    /** {@return a logarithmic axis that includes 1, for ratios, which are positive} */
    static Axis forRatios(List<Double> ratios) {
        double max = ratios.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        double min = ratios.stream().mapToDouble(Double::doubleValue).min().orElse(1);
        return new Axis(true, Math.min(0.5, min / 1.3), Math.max(2, max * 1.3));
    }

    /** The axis begins well below the smallest value, so that its bar is visible. */
    private static double powerBelow(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        return value / power < 2 ? power / 10 : power;
    }

    /** {@return the position of the value: 0 is the left end, 1 the right end} */
    double position(double value) {
        double part = logarithmic
                ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
                : (value - low) / (high - low);
        return Math.max(0, Math.min(1, part));
    }

    /** {@return the values of the grid lines: powers of ten, or a few round numbers} */
    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        if (logarithmic) {
            for (int power = (int) Math.ceil(Math.log10(low) - 1e-9); Math.pow(10, power) <= high; power++) {
                ticks.add(Math.pow(10, power));
            }
        } else {
            double step = roundStep((high - low) / STEPS);
            for (int i = 0; low + i * step <= high; i++) {
                ticks.add(low + i * step);
            }
        }
        return ticks;
    }

    private static double roundStep(double atLeast) {
        double power = Math.pow(10, Math.floor(Math.log10(atLeast)));
        for (double factor : new double[] {1, 2, 2.5, 5}) {
            if (factor * power >= atLeast * (1 - 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }
}
