package dev.holdfast.benchmarks.report;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A logarithmic axis: equal distances are equal ratios.
 *
 * @param low the value at the left end
 * @param high the value at the right end
 */
record Axis(double low, double high) {
    /** {@return an axis that includes 1, for these ratios, which are positive} */
    static Axis forRatios(List<Double> ratios) {
        double max = ratios.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        double min = ratios.stream().mapToDouble(Double::doubleValue).min().orElse(1);
        return new Axis(Math.min(0.5, min / 1.3), Math.max(2, max * 1.3));
    }

    /** {@return the position of the value: 0 is the left end, 1 the right end} */
    double position(double value) {
        double part = Math.log(value / low) / Math.log(high / low);
        return Math.max(0, Math.min(1, part));
    }

    /** {@return the powers of ten in between, for grid lines} */
    List<Double> ticks() {
        return DoubleStream.iterate(
                        Math.pow(10, Math.ceil(Math.log10(low) - 1e-9)), tick -> tick <= high, tick -> tick * 10)
                .boxed()
                .toList();
    }
}
