package dev.holdfast.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How many acquisitions were overtaken. */
class OvertakenShareTest {
    private static final long MARGIN = 10;

    /** Calls that are served in their order overtake none, however they are listed. */
    @Test
    void percent_inOrder_isNone() {
        assertThat(percent(0, entry(30, 70), entry(10, 50), entry(20, 60))).isZero();
    }

    /** Of four calls, two wait until a later one is served: one alone would not be overtaken. */
    @Test
    void percent_laterCallFirst_countsAllBehindIt() {
        assertThat(percent(0, entry(100, 150), entry(20, 160), entry(30, 170), entry(140, 180)))
                .isEqualTo(50);
    }

    /** Calls that begin within the margin have no order. */
    @Test
    void percent_withinTheMargin_isNone() {
        assertThat(percent(0, entry(30, 50), entry(20, 60))).isZero();
        assertThat(percent(0, entry(31, 50), entry(20, 60))).isEqualTo(50);
    }

    /** What was granted before the time does not count. */
    @Test
    void percent_before_doesNotCount() {
        assertThat(percent(55, entry(40, 50), entry(20, 60))).isZero();
        assertThat(percent(100, entry(40, 50), entry(20, 60))).isZero();
    }

    private static double percent(long from, Journal.Entry... entries) {
        return Overtaking.percent(List.of(entries), from, MARGIN);
    }

    private static Journal.Entry entry(long requested, long entered) {
        return new Journal.Entry(0, requested, entered, entered + 1);
    }
}
