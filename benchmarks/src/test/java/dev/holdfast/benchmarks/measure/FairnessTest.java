package dev.holdfast.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Jain's index. */
class FairnessTest {
    /** The index of equal shares is 1, however large they are. */
    @Test
    void jain_equalShares_isOne() {
        assertThat(Fairness.jain(7, 7, 7, 7)).isEqualTo(1);
    }

    /** If one share is everything, the index is 1/n. */
    @Test
    void jain_oneHasAll_isOneOfN() {
        assertThat(Fairness.jain(0, 9, 0, 0)).isEqualTo(0.25);
    }

    /** (1 + 2 + 3)^2 / (3 * (1 + 4 + 9)). */
    @Test
    void jain_unequalShares_liesBetween() {
        assertThat(Fairness.jain(1, 2, 3)).isCloseTo(36.0 / 42, within(1e-12));
    }

    /** The index of shares that are all zero is NaN, which is left out of the figures. */
    @Test
    void jain_allZero_isNoFigure() {
        assertThat(new Figures()
                        .put(Metric.THREAD_FAIRNESS, Fairness.jain(0, 0))
                        .all())
                .isEmpty();
    }
}
