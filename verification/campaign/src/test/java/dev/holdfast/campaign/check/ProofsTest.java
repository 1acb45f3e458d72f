package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

class ProofsTest {
    private final Story story = new Story();

    /**
     * The server was stopped for longer than all leases, so that each waiter might have had the lock and lost it by
     * then.
     */
    @Test
    void isNeeded_waitersOfAPause_areDecidedInAFewCases() {
        story.lease(10);
        for (long waiter = 0; waiter < 16; waiter++) {
            long granted = 400 + 10 * waiter;
            story.lock("w:" + waiter, 0, granted);
            story.unlock("w:" + waiter, granted + 2, granted + 4);
        }
        assertThat(story.judgedBy(new Linearizability(Story.TERMS, 2_000)).decision())
                .isEqualTo(Decision.KEPT);
    }

    /** After its last proof a hold may end with its lease. */
    @Test
    void isNeeded_leaseEndsAfterTheLastProof() {
        var op = story.lock("a:1", 0, 10);
        story.confirmed(op, 100, 110);
        story.lock("b:1", 500, 510);
        story.unlock("b:1", 520, 530);
        story.call("a:1", What.UNLOCK, 540, 550, Outcome.LOST);
        assertThat(story.judgedBy(new Linearizability(Story.TERMS)).decision()).isEqualTo(Decision.KEPT);
    }

    /** Two holds with proofs that overlap cannot both have existed. */
    @Test
    void isNeeded_anotherHoldBetweenTwoProofs() {
        story.lease(50);
        story.lock("a:1", 0, 10);
        story.lock("b:1", 100, 110);
        story.unlock("b:1", 120, 130);
        story.unlock("a:1", 140, 150);
        assertThat(story.judgedBy(new Linearizability(Story.TERMS)).decision()).isEqualTo(Decision.VIOLATED);
    }
}
