package dev.holdfast.campaign.soak;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How a measure of a series has changed over the second half of its samples: by the median of the slopes between any two of them
 * (Theil-Sen), which a few samples that a fault has disturbed do not move, as they would the least squares. The first half is the time in
 * which classes are loaded and pools filled.
 *
 * @param samples how many the half has
 * @param level the median of the half
 * @param growth over the half; negative if it shrinks
 */
record Trend(int samples, double level, double growth) {
    /** @param values at equal distances in time */
    static Trend of(List<Long> values) {
        List<Long> half = values.subList(values.size() / 2, values.size());
        double[] slopes = IntStream.range(0, half.size())
                .boxed()
                .flatMapToDouble(i -> IntStream.range(i + 1, half.size())
                        .mapToDouble(j -> (double) (half.get(j) - half.get(i)) / (j - i)))
                .toArray();
        double[] level = half.stream().mapToDouble(Long::doubleValue).toArray();
        return new Trend(half.size(), median(level), median(slopes) * Math.max(0, half.size() - 1));
    }

    private static double median(double[] values) {
        if (values.length == 0) {
            return 0;
        }
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
}
