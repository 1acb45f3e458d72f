package dev.holdfast.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The difference by chance between two medians of the same quantity: the noise of the machine, with which a difference
 * between two builds has to be compared.
 */
public final class Scatter {
    /** Enough for two significant digits. */
    private static final int SPLITS = 4_000;

    /** The share of splits whose medians differ by no more than the scatter. */
    private static final double QUANTILE = 0.9;

    /** Fixed, so that the same figures always give the same scatter. */
    private static final long SEED = 1;

    private Scatter() {}

    /**
     * {@return the share by which the medians of two halves of the values differ, in nine of ten random splits at most}
     *
     * @param values measurements of one quantity under the same conditions, positive
     * @throws IllegalArgumentException if there are fewer than two
     */
    public static double of(List<Double> values) {
        if (values.size() < 2) {
            throw new IllegalArgumentException("a scatter must be of at least two values, had " + values.size());
        }
        List<Double> shuffled = new ArrayList<>(values);
        Random random = new Random(SEED);
        int half = values.size() / 2;
        double[] apart = new double[SPLITS];
        for (int i = 0; i < SPLITS; i++) {
            Collections.shuffle(shuffled, random);
            double one = Spread.of(shuffled.subList(0, half)).median();
            double other = Spread.of(shuffled.subList(half, 2 * half)).median();
            apart[i] = Math.abs(1 - one / other);
        }
        Arrays.sort(apart);
        return apart[(int) (QUANTILE * SPLITS)];
    }
}
