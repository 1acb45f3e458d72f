package dev.holdfast.examples.stale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The expectations of a run, and the complaints when they are not met. */
class OutcomeTest {
    private static Outcome guarded(long first, long second, boolean firstWrote, int balance) {
        return new Outcome(true, first, second, firstWrote, true, "lost EXPIRED", "released", balance);
    }

    /**
     * Both expected outcomes are accepted: the late write refused with the guard, and the other write lost without it.
     */
    @Test
    void complaints_none() {
        assertThat(guarded(7, 8, false, 150).complaints()).isEmpty();
        assertThat(new Outcome(false, 7, 8, true, true, "lost TAKEN", "released", 70).complaints())
                .isEmpty();
    }

    /** Each unmet expectation is named. */
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
