package dev.holdfast.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PubSubSettingsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** The limit in time becomes a number of pings, rounded to the patient side. */
    @Test
    void pingsAllowed_roundsUp() {
        assertThat(new PubSubSettings(SECOND, SECOND, Duration.ofMillis(2500)).pingsAllowed())
                .isEqualTo(3);
        assertThat(PubSubSettings.defaults().pingsAllowed()).isEqualTo(3);
    }

    /** No time may be zero or negative. */
    @Test
    void settings_refuseNoTime() {
        assertThatThrownBy(() -> new PubSubSettings(Duration.ZERO, SECOND, SECOND))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("linger must be at least 1 ms, was PT0S");
        assertThatThrownBy(() -> new PubSubSettings(SECOND, Duration.ofSeconds(-1), SECOND))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pingInterval");
    }

    /** A limit shorter than the interval would give up every connection. */
    @Test
    void settings_refuseALimitBelowTheInterval() {
        assertThatThrownBy(() -> new PubSubSettings(SECOND, SECOND, Duration.ofMillis(999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("silenceLimit must be at least one pingInterval (PT1S)");
    }
}
