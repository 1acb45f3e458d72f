package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class PaceTest {
    private static final Pace PACE = new Pace(LeaseTerms.of(Duration.ofSeconds(30)));

    /** The pause doubles up to a bound, however many attempts have failed. */
    @ParameterizedTest
    @CsvSource({"1, 500", "2, 1000", "3, 2000", "4, 3000", "5, 3000", "1000000, 3000"})
    void retryNanos_doublesUpToACap(int unanswered, long millis) {
        assertThat(PACE.retryNanos(unanswered))
                .isEqualTo(Duration.ofMillis(millis).toNanos());
    }

    /** The drift allowance is proportional to the lease, so that it does not consume a short lease. */
    @Test
    void validUntil_driftInProportion() {
        assertThat(PACE.validUntil(0, Duration.ofSeconds(30).toNanos()))
                .isEqualTo(Duration.ofMillis(29_700).toNanos());
        assertThat(PACE.validUntil(0, Duration.ofMillis(100).toNanos()))
                .isEqualTo(Duration.ofMillis(99).toNanos());
    }

    /** A lease beyond the range of the clock is valid for ever, not for no time. */
    @Test
    void validUntil_saturates() {
        Pace exact = new Pace(Rig.TERMS);
        assertThat(exact.validUntil(1_000, Long.MAX_VALUE)).isEqualTo(LeaseRule.NEVER);
    }

    /**
     * A tick sends a minimum of the deferred batches, or as many as clear them within about a twentieth of the watchdog
     * timeout.
     */
    @ParameterizedTest
    @CsvSource({"0, 10, 4", "200, 10, 4", "600, 10, 4", "601, 10, 5", "1500, 10, 10", "8, 5000, 8", "2, 5000, 4"})
    void batchesPerTick_fewButInTime(int waiting, int tickMillis, int batches) {
        assertThat(PACE.batchesPerTick(waiting, Duration.ofMillis(tickMillis).toNanos()))
                .isEqualTo(batches);
    }

    /**
     * A watched lease is renewed after a third of the watchdog timeout, a shorter one at its half, an expired one at
     * once.
     */
    @Test
    void renewAt_inTime() {
        long third = Duration.ofSeconds(10).toNanos();
        assertThat(PACE.renewAt(7, 7 + 3 * third)).isEqualTo(7 + third);
        assertThat(PACE.renewAt(7, 7 + third)).isEqualTo(7 + third / 2);
        assertThat(PACE.renewAt(7, 3)).isEqualTo(7);
    }
}
