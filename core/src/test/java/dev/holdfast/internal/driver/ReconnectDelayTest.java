package dev.holdfast.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The delay before an attempt to reconnect. */
@Tag("pure")
class ReconnectDelayTest {
    private static final Duration LONGEST = Duration.ofMillis(500);

    /** It grows up to the longest and stays there, however long the server is down. */
    @ParameterizedTest
    @CsvSource({"1,2,4", "2,4,8", "7,128,256", "8,250,500", "62,250,500", "63,250,500", "1000000000000,250,500"})
    void createDelay_grows(long attempt, long least, long most) {
        assertThat(Stream.generate(() -> new ReconnectDelay(LONGEST).createDelay(attempt))
                        .limit(1_000))
                .allSatisfy(delay -> assertThat(delay).isBetween(Duration.ofMillis(least), Duration.ofMillis(most)));
    }

    /** Clients whose server was down for long come back at different moments. */
    @Test
    void createDelay_differs() {
        assertThat(Stream.generate(() -> new ReconnectDelay(LONGEST).createDelay(100))
                        .limit(100)
                        .distinct())
                .hasSizeGreaterThan(90);
    }

    /** The longest one may be shorter than the first. */
    @Test
    void createDelay_short() {
        assertThat(new ReconnectDelay(Duration.ofMillis(1)).createDelay(9))
                .isBetween(Duration.ofNanos(500_000), Duration.ofMillis(1));
    }
}
