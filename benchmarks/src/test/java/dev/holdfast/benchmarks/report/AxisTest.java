package dev.holdfast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The positions of values on an axis. */
class AxisTest {
    /** Bars of similar length are drawn from zero, so that their lengths compare. */
    @Test
    void forBars_ofASize_beginsAtZero() {
        Axis axis = Axis.forBars(List.of(50.0, 100.0));

        assertThat(axis.position(0)).isZero();
        assertThat(axis.position(50)).isEqualTo(0.5);
        assertThat(axis.ticks()).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0);
    }

    /** If one value is many times another, equal distances are equal ratios, and the smallest bar is still visible. */
    @Test
    void forBars_farApart_isLogarithmic() {
        Axis axis = Axis.forBars(List.of(400.0, 40_000.0));

        assertThat(axis.logarithmic()).isTrue();
        assertThat(axis.position(400)).isPositive();
        assertThat(axis.position(4_000) - axis.position(400))
                .isCloseTo(axis.position(40_000) - axis.position(4_000), within(1e-9));
        assertThat(axis.ticks()).containsExactly(100.0, 1_000.0, 10_000.0);
    }

    /** Zero has no logarithm, so the axis is linear. */
    @Test
    void forBars_oneIsZero_isLinear() {
        assertThat(Axis.forBars(List.of(0.0, 1_750.0)).logarithmic()).isFalse();
    }

    /** The axis of ratios includes 1. */
    @Test
    void forRatios_allAboveOne_hasOneInside() {
        Axis axis = Axis.forRatios(List.of(3.0, 50.0));

        assertThat(axis.position(1)).isBetween(0.01, 0.5);
        assertThat(axis.ticks()).contains(1.0, 10.0);
    }
}
