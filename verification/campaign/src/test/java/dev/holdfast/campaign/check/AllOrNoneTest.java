package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** A multi-lock of the locks {@code x} and {@code y}; what is prompt takes 20 ms. */
final class AllOrNoneTest {
    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new AllOrNone(Story.TERMS)).decision();
    }

    private void both(Outcome x, Outcome y) {
        story.by(By.MULTI);
        story.at("x").call("a:multi-1", What.TRY, 0, 1, x);
        story.at("y").call("a:multi-1", What.TRY, 0, 1, y);
    }

    /** The call has both locks, or none. */
    @Test
    void outcome_ofBoth() {
        both(Outcome.GRANTED, Outcome.GRANTED);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        both(Outcome.GRANTED, Outcome.MISSED);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    private void inspected(String lock, Outcome outcome, long from, long to) {
        story.by(By.MULTI).at(lock).call("a:multi-1", What.INSPECT, from, to, outcome);
    }

    /** Redis does not show one of the locks as its. */
    @Test
    void inspected_onlyOne() {
        both(Outcome.GRANTED, Outcome.GRANTED);
        inspected("x", Outcome.SHOWN, 2, 3);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        inspected("y", Outcome.NOT_SHOWN, 2, 3);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The key of one was deleted, or its lease may have ended. */
    @Test
    void inspected_lost() {
        both(Outcome.GRANTED, Outcome.GRANTED);
        story.keyLost("y", 4, 5);
        inspected("y", Outcome.NOT_SHOWN, 6, 7);
        inspected("x", Outcome.NOT_SHOWN, 299, 300);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    private void triedByAnother(long from, long to) {
        story.by(By.BLOCKING).at("y").refused("b:1", from, to);
    }

    /** What a call in vain had of the locks is released promptly. */
    @Test
    void inVain_released() {
        both(Outcome.MISSED, Outcome.MISSED);
        triedByAnother(10, 12);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A lock that a call in vain had is still busy. */
    @Test
    void inVain_kept() {
        both(Outcome.MISSED, Outcome.MISSED);
        triedByAnother(60, 62);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Another owner has the lock. */
    @Test
    void inVain_ofAnother() {
        both(Outcome.MISSED, Outcome.MISSED);
        story.by(By.HANDLE).at("y").lock("c:1", 50, 51);
        triedByAnother(60, 62);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }
}
