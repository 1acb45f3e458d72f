package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A wait for a condition, as the rules about locks judge it: a release at its beginning, and an acquisition at its end. */
final class RegainTest {
    private final Story story = new Story().fenced(true);

    @BeforeEach
    void holds() {
        story.grant("w:1", 0, 1, 1, 1);
    }

    private Decision by(Checker checker) {
        return story.judgedBy(checker).decision();
    }

    /** The wait begins at 20, with a limit of 100 ms. */
    private Op waited(long to, long token) {
        Op op = story.awaits("w:1", 20, 120, false);
        story.returns(op, to, Outcome.GRANTED, token, 1);
        return op;
    }

    /** Others have the lock meanwhile, one after the other. */
    @Test
    void wait_whileOthersHaveTheLock() {
        for (int i = 0; i < 9; i++) {
            story.grant("b:1", 30 + 25 * i, 31 + 25 * i, 2 + i, 1);
            story.refused("w:2", 32 + 25 * i, 33 + 25 * i);
            story.unlock("b:1", 33 + 25 * i, 34 + 25 * i);
        }
        waited(270, 11);
        assertThat(by(new Linearizability(Story.TERMS))).isEqualTo(Decision.KEPT);
        assertThat(by(new Overtaking(Story.TERMS))).isEqualTo(Decision.KEPT);
        assertThat(by(new Tokens())).isEqualTo(Decision.KEPT);
    }

    /** It does not wait for the lock. */
    @Test
    void wait_besideAFreeLock() {
        waited(120, 2);
        assertThat(by(new WakeUps(Story.TERMS))).isEqualTo(Decision.KEPT);
    }

    @Test
    void return_withoutTheLock() {
        Op waiter = waited(60, 3);
        Op holder = story.grant("b:1", 30, 31, 2, 1);
        story.unlock("b:1", 90, 91);
        story.believed(holder, 32, 89);
        story.believed(waiter, 61, 80);
        assertThat(by(new Linearizability(Story.TERMS))).isEqualTo(Decision.VIOLATED);
        assertThat(by(new Exclusion(Story.TERMS))).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void return_withTheFormerToken() {
        waited(60, 1);
        assertThat(by(new Tokens())).isEqualTo(Decision.VIOLATED);
    }

    /** At the end of its wait, others may have the lock, each in its turn. */
    @Test
    void return_inTurn() {
        waited(310, 2);
        assertThat(by(new Turns(Story.TERMS))).isEqualTo(Decision.KEPT);
    }

    @Test
    void return_late() {
        waited(330, 2);
        assertThat(by(new Turns(Story.TERMS))).isEqualTo(Decision.VIOLATED);
    }
}
