package dev.holdfast.benchmarks.measure;

import java.util.Arrays;
import java.util.Collection;

/** The median and the range of a figure over several rounds. */
public record Spread(double median, double min, double max) {
    /**
     * {@return the spread of the values; the median of an even number is the mean of the two in the middle}
     *
     * @throws IllegalArgumentException if there are none
     */
    public static Spread of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("a spread must have at least one value, had none");
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
