package dev.holdfast.examples.stale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a run has to show, and what is said when it does not. */
class OutcomeTest {
    private static Outcome guarded(long first, long second, boolean firstWrote, int balance) {
        return new Outcome(true, first, second, firstWrote, true, "lost EXPIRED", "released", balance);
    }

    /** Refused with the guard, and lost without it: both are as they must be. */
    @Test
    void complaints_none() {
        assertThat(guarded(7, 8, false, 150).complaints()).isEmpty();
        assertThat(new Outcome(false, 7, 8, true, true, "lost TAKEN", "released", 70).complaints())
                .isEmpty();
    }

    /** Each thing that is off is named. */
    @Test
    void complaints_nameEach() {
        assertThat(guarded(8, 8, false, 150).complaints())
                .singleElement()
                .asString()
                .contains("tokens");
        assertThat(guarded(7, 8, true, 70).complaints())
                .hasSize(2)
                .first()
                .asString()
                .contains("not refused");
        assertThat(new Outcome(false, 7, 8, false, true, "released", "lost GONE", 150).complaints())
                .hasSize(4);
    }
}
