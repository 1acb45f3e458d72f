package dev.holdfast.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class PubSubSettingsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** The time limit becomes a number of pings, rounded up. */
    @Test
    void pingsAllowed_roundsUp() {
        assertThat(new PubSubSettings(SECOND, SECOND, Duration.ofMillis(2500)).pingsAllowed())
                .isEqualTo(3);
        assertThat(PubSubSettings.defaults().pingsAllowed()).isEqualTo(3);
    }

    /** Zero and negative times are rejected. */
    @Test
    void settings_refuseNoTime() {
        assertThatThrownBy(() -> new PubSubSettings(Duration.ZERO, SECOND, SECOND))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("linger must be at least 1 ms, was PT0S");
        assertThatThrownBy(() -> new PubSubSettings(SECOND, Duration.ofSeconds(-1), SECOND))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pingInterval");
    }

    /** A limit shorter than the interval is rejected, since it would give up every connection. */
    @Test
    void settings_refuseALimitBelowTheInterval() {
        assertThatThrownBy(() -> new PubSubSettings(SECOND, SECOND, Duration.ofMillis(999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("silenceLimit must be at least one pingInterval (PT1S)");
    }
}
