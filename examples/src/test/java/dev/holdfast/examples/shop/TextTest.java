package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TextTest {
    @Test
    void times_inWords() {
        assertThat(Text.times(0)).isEqualTo("0 times");
        assertThat(Text.times(1)).isEqualTo("once");
        assertThat(Text.times(2)).isEqualTo("2 times");
    }

    @Test
    void durations_inTheirUnits() {
        assertThat(Text.seconds(Duration.ofMillis(3016))).isEqualTo("3.02 s");
        assertThat(Text.millis(Duration.ofNanos(17_340_000))).isEqualTo("17.3");
    }
}
