package dev.holdfast.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Percentiles of waits. */
class WaitHistogramTest {
    /** Of the values 1 to 100, the 50th percentile is 50 and the 99th is 99, within the width of a bucket. */
    @Test
    void percentile_evenlySpread_isTheValueAtItsRank() {
        WaitHistogram waits = new WaitHistogram();
        for (int i = 1; i <= 100; i++) {
            waits.record(i * 1_000L);
        }

        assertThat(waits.percentile(0.5)).isCloseTo(50_000, withinPercentage(3.2));
        assertThat(waits.percentile(0.99)).isCloseTo(99_000, withinPercentage(3.2));
        assertThat(waits.percentile(1)).isEqualTo(100_000);
    }

    /** A percentile is never below the recorded value, and above it by no more than a bucket. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 31, 32, 63, 64, 65, 1_000, 123_456_789, Long.MAX_VALUE})
    void percentile_oneValueBelowAnother_isRoundedUpWithinItsBucket(long value) {
        WaitHistogram waits = new WaitHistogram();
        waits.record(value);
        waits.record(Long.MAX_VALUE);

        assertThat(waits.percentile(0.5)).isBetween((double) value, value * 1.032 + 0.5);
    }

    /** A wait that has not ended can be the longest, and is not counted among the others. */
    @Test
    void atLeast_waitUnderWay_isOnlyTheLongest() {
        WaitHistogram waits = new WaitHistogram();
        waits.record(10);
        waits.atLeast(1_000);

        assertThat(waits.max()).isEqualTo(1_000);
        assertThat(waits.count()).isEqualTo(1);
        assertThat(waits.percentile(0.99)).isEqualTo(10);
    }

    /** The sum of two histograms is one of all their values. */
    @Test
    void add_another_countsBoth() {
        WaitHistogram one = new WaitHistogram();
        WaitHistogram other = new WaitHistogram();
        one.record(10);
        other.record(20);
        other.record(30);

        one.add(other);

        assertThat(one.count()).isEqualTo(3);
        assertThat(one.percentile(0.5)).isEqualTo(20);
        assertThat(one.max()).isEqualTo(30);
    }

    /** Without waits there is no percentile. */
    @Test
    void percentile_noWaits_isNoFigure() {
        assertThat(new WaitHistogram().percentile(0.5)).isNaN();
    }
}
