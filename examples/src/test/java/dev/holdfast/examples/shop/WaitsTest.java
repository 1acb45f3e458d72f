package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaitsTest {
    /** A percentile is one of the waits: the shortest that this share of all waits did not exceed. */
    @Test
    void percentile_ofMany() {
        Waits waits = Waits.of(IntStream.rangeClosed(1, 200)
                .mapToObj(i -> Duration.ofMillis(201 - i))
                .toList());
        assertThat(waits.percentile(1)).isEqualTo(Duration.ofMillis(2));
        assertThat(waits.percentile(50)).isEqualTo(Duration.ofMillis(100));
        assertThat(waits.percentile(99)).isEqualTo(Duration.ofMillis(198));
        assertThat(waits.percentile(100)).isEqualTo(Duration.ofMillis(200));
    }

    /** Every percentile of a single wait is that wait; of no waits, zero. */
    @Test
    void percentile_ofFew() {
        Waits one = Waits.of(List.of(Duration.ofMillis(7)));
        assertThat(one.percentile(1)).isEqualTo(one.percentile(99)).isEqualTo(Duration.ofMillis(7));
        assertThat(Waits.of(List.of()).percentile(99)).isZero();
    }

    /** A percentage outside 1 to 100 is rejected. */
    @Test
    void percentile_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Waits.of(List.of()).percentile(0))
                .withMessageContaining("was 0");
    }

    /** The waits of all processes are merged, in the order of their length. */
    @Test
    void all_merges() {
        Waits slow = Waits.of(List.of(Duration.ofSeconds(3), Duration.ofSeconds(2)));
        Waits fast = Waits.of(List.of(Duration.ofSeconds(1)));
        assertThat(Waits.all(List.of(slow, fast)).sorted())
                .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3));
    }
}
