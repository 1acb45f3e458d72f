package dev.holdfast.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Jain's index. */
class FairnessTest {
    /** Equal shares are entirely fair, however large they are. */
    @Test
    void jain_equalShares_isOne() {
        assertThat(Fairness.jain(7, 7, 7, 7)).isEqualTo(1);
    }

    /** One who has everything leaves one of n. */
    @Test
    void jain_oneHasAll_isOneOfN() {
        assertThat(Fairness.jain(0, 9, 0, 0)).isEqualTo(0.25);
    }

    /** (1 + 2 + 3)^2 / (3 * (1 + 4 + 9)). */
    @Test
    void jain_unequalShares_liesBetween() {
        assertThat(Fairness.jain(1, 2, 3)).isCloseTo(36.0 / 42, within(1e-12));
    }

    /** Who has nothing cannot share it unfairly, and a figure that is no number is left out. */
    @Test
    void jain_nobodyHasAnything_isNoFigure() {
        assertThat(new Figures()
                        .put(Metric.THREAD_FAIRNESS, Fairness.jain(0, 0))
                        .all())
                .isEmpty();
    }
}
