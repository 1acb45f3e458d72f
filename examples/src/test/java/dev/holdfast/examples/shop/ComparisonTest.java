package dev.holdfast.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    /** A row for each sale, with the time of the first one divided by its own. */
    @Test
    void lines_haveTheFactor() {
        assertThat(new Comparison(List.of(
                                outcome(Plan.FLASH, Duration.ofSeconds(21)),
                                outcome(Plan.FLASH.inSegments(20), Duration.ofMillis(1_500))))
                        .lines())
                .containsExactly(
                        "",
                        "locks  sellers  sold  oversold  wait p50 (ms)  wait p99 (ms)     time  factor",
                        "-----  -------  ----  --------  -------------  -------------  -------  ------",
                        "    1       45     2         0            0.0            0.0  21.00 s     1.0",
                        "   20       45     2         0            0.0            0.0   1.50 s    14.0");
    }

    private static Outcome outcome(Plan plan, Duration took) {
        return new Outcome(
                plan,
                Ledger.parse(List.of("1 2", "2 1")),
                0,
                took,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
