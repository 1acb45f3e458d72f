package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class LeaseTermsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The short form has a drift allowance and no maximum hold. */
    @Test
    void of_defaults() {
        assertThat(LeaseTerms.of(TIMEOUT))
                .isEqualTo(new LeaseTerms(TIMEOUT, Duration.ofMillis(300), LeaseTerms.UNBOUNDED));
    }

    /** A watchdog timeout too short for a renewal is rejected, with the rule, the value and the reason. */
    @Test
    void new_timeoutTooShort() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerms.of(Duration.ofMillis(99)))
                .withMessage("watchdogTimeout must be between PT0.1S and PT8760H, was PT0.099S: "
                        + "three renewals and their answers must fit into it");
    }

    /** A drift allowance that leaves no time for renewals is rejected. */
    @Test
    void new_driftTooLarge() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerms.of(TIMEOUT).withDriftAllowance(Duration.ofSeconds(8)))
                .withMessage("driftAllowance must be between zero and a quarter of watchdogTimeout, was PT8S of PT30S: "
                        + "what it takes away is missing for renewals");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerms.of(TIMEOUT).withDriftAllowance(Duration.ofNanos(-1)));
    }

    /** A maximum hold shorter than a single lease is rejected: it could not be kept. */
    @Test
    void new_maxHoldShorterThanALease() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTerms.of(TIMEOUT).withMaxHold(Duration.ofSeconds(29)))
                .withMessage("maxHold must be at least watchdogTimeout, was PT29S with PT30S: "
                        + "a lease lives that long without any renewal");
    }
}
