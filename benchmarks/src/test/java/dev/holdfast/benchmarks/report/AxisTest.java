package dev.holdfast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The positions of values on an axis. */
class AxisTest {
    /** The axis of ratios includes 1. */
    @Test
    void forRatios_allAboveOne_hasOneInside() {
        Axis axis = Axis.forRatios(List.of(3.0, 50.0));

        assertThat(axis.position(1)).isBetween(0.01, 0.5);
        assertThat(axis.ticks()).containsExactly(1.0, 10.0);
    }

    /** Equal distances are equal ratios. */
    @Test
    void position_isLogarithmic() {
        Axis axis = new Axis(0.1, 100);

        assertThat(axis.position(10) - axis.position(1)).isCloseTo(axis.position(1) - axis.position(0.1), within(1e-9));
        assertThat(axis.position(1_000)).isEqualTo(1);
    }
}
