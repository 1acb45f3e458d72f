package dev.holdfast.campaign.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The trend of a measure, and what is a leak. */
class TrendTest {
    private static List<Long> samples(int count, double perSample) {
        Random random = new Random(7);
        return LongStream.range(0, count)
                .map(i -> Math.round(10_000 + perSample * i + random.nextGaussian() * 100))
                .boxed()
                .toList();
    }

    /** A heap of 10,000 KiB with some noise: a growth over the half by less than 1 MiB is none. */
    @ParameterizedTest
    @CsvSource({"0, false", "-40, false", "10, false", "15, false", "20, true", "60, true"})
    void isExceeded_heap(double perSample, boolean exceeded) {
        Trend trend = Trend.of(samples(120, perSample));

        assertThat(trend.samples()).isEqualTo(60);
        assertThat(Measure.HEAP.isExceededBy(trend)).as("%s", trend).isEqualTo(exceeded);
    }

    /** One thread more is a leak, whether there are few or many. */
    @Test
    void isExceeded_oneThread() {
        assertThat(Measure.THREADS.isExceededBy(new Trend(60, 30, 0.5))).isFalse();
        assertThat(Measure.THREADS.isExceededBy(new Trend(60, 30, 1))).isTrue();
        assertThat(Measure.THREADS.isExceededBy(new Trend(60, 300, 1))).isTrue();
    }

    /** What grows in the first half, until all is loaded, is no leak. */
    @Test
    void of_firstHalf() {
        List<Long> values =
                LongStream.range(0, 40).map(i -> Math.min(i, 20)).boxed().toList();

        assertThat(Trend.of(values)).isEqualTo(new Trend(20, 20, 0));
    }

    /** A few samples that a fault has disturbed move neither the level nor the growth. */
    @Test
    void of_outliers() {
        List<Long> values = LongStream.range(0, 40)
                .map(i -> i % 10 == 9 ? 9_000 : 30)
                .boxed()
                .toList();

        assertThat(Trend.of(values)).isEqualTo(new Trend(20, 30, 0));
    }

    /** A leak in steps, by each client that is closed, is one: of 2 MiB, or of a thread. A process has one closed in 30 minutes. */
    @ParameterizedTest
    @CsvSource({"HEAP, 10000, 2000", "THREADS, 30, 1"})
    void of_steps(Measure measure, long level, long step) {
        List<Long> values =
                LongStream.range(0, 120).map(i -> level + i / 30 * step).boxed().toList();

        assertThat(measure.isExceededBy(Trend.of(values))).isTrue();
    }

    /** Without samples there is no growth. */
    @Test
    void of_few() {
        assertThat(Trend.of(List.of())).isEqualTo(new Trend(0, 0, 0));
        assertThat(Trend.of(List.of(5L))).isEqualTo(new Trend(1, 5, 0));
    }
}
