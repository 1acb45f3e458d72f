package dev.holdfast.benchmarks.measure;

import java.util.Arrays;

/** A measure of how evenly something is shared. */
public final class Fairness {
    private Fairness() {}

    /**
     * {@return Jain's index: the square of the sum by n times the sum of the squares} 1 when all shares are equal, 1/n
     * when one share is everything; NaN when all shares are zero.
     */
    public static double jain(long... shares) {
        double sum = Arrays.stream(shares).asDoubleStream().sum();
        double squares = Arrays.stream(shares)
                .asDoubleStream()
                .map(share -> share * share)
                .sum();
        return sum * sum / (shares.length * squares);
    }
}
