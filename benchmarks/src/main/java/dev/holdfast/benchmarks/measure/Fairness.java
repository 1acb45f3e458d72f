package dev.holdfast.benchmarks.measure;

import java.util.Arrays;

/** How evenly something is shared. */
public final class Fairness {
    private Fairness() {}

    /**
     * {@return Jain's index: the square of the sum by n times the sum of the squares} 1 when all shares are equal, 1/n when
     * one has everything; not a number when nobody has anything.
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
