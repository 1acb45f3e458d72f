package dev.holdfast.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The difference between two halves of the same measurements. */
class ScatterTest {
    /** Equal values have no scatter. */
    @Test
    void of_equalValues_isNothing() {
        assertThat(Scatter.of(List.of(7.0, 7.0, 7.0, 7.0))).isZero();
    }

    /** One outlier among many measurements hardly changes a median; many outliers do. */
    @Test
    void of_noise_growsWithIt() {
        double quiet = Scatter.of(List.of(100.0, 101.0, 99.0, 100.0, 101.0, 99.0, 100.0, 140.0));
        double noisy = Scatter.of(List.of(100.0, 120.0, 80.0, 100.0, 120.0, 80.0, 100.0, 140.0));

        assertThat(quiet).isLessThan(0.03);
        assertThat(noisy).isGreaterThan(0.1);
    }

    /** A single measurement has no scatter. */
    @Test
    void of_oneValue_isRefused() {
        assertThatThrownBy(() -> Scatter.of(List.of(1.0))).isInstanceOf(IllegalArgumentException.class);
    }
}
