package dev.holdfast.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The median and range of several rounds. */
class SpreadTest {
    /** The order of the rounds does not matter. */
    @Test
    void of_oddNumber_takesTheMiddleOne() {
        assertThat(Spread.of(List.of(30.0, 10.0, 20.0))).isEqualTo(new Spread(20, 10, 30));
    }

    /** The median of an even number is the mean of the two in the middle. */
    @Test
    void of_evenNumber_takesTheMeanOfTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(new Spread(3, 1, 100));
    }

    /** No values have no median. */
    @Test
    void of_nothing_isRefused() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    /** A ratio of more than 1 is better, in whichever direction the figure improves. */
    @Test
    void ratio_eitherWay_isMoreThanOneForTheBetter() {
        assertThat(Metric.ACQUISITIONS.ratio(300, 100)).isEqualTo(3);
        assertThat(Metric.HANDOVER_P50.ratio(200, 600)).isEqualTo(3);
    }
}
