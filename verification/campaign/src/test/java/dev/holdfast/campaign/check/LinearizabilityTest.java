package dev.holdfast.campaign.check;

import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertLinearizable;
import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertNotLinearizable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** Grants, levels and refusals while no lease ends and every call has a reply. */
final class LinearizabilityTest {
    private final Story story = new Story();

    /** A released lock can be acquired by another owner. */
    @Test
    void grant_afterRelease() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 10, 12);
        story.lock("b:1", 5, 11);
        assertLinearizable(story);
    }

    /** But not before its release was called. */
    @Test
    void grant_beforeRelease() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 10, 12);
        story.lock("b:1", 5, 9);
        assertNotLinearizable(story);
        Verdict verdict = story.judgedBy(new Linearizability(Story.TERMS));
        assertThat(verdict.violations().get(0).toString()).contains("LOCK of b:1 (b#3), GRANTED", "held by a:1 (a#1)");
    }

    /** Waiters may be granted in any order. */
    @Test
    void grant_anyOrderOfWaiters() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 42);
        story.lock("c:1", 3, 32);
        story.lock("d:1", 4, 22);
        story.unlock("a:1", 10, 12);
        story.unlock("d:1", 30, 31);
        story.unlock("c:1", 40, 41);
        story.unlock("b:1", 50, 51);
        assertLinearizable(story);
    }

    /** A single release is followed by one grant only. */
    @Test
    void grant_twoForOneRelease() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 22);
        story.lock("c:1", 3, 23);
        story.unlock("a:1", 10, 12);
        assertNotLinearizable(story);
    }

    /** Levels are counted, and released one by one. */
    @Test
    void reentry() {
        story.lock("a:1", 0, 1);
        story.grant("a:1", 2, 3, 0, 2);
        story.returns(story.calls("a:1", What.UNLOCK, 4, 0), 5, Outcome.RELEASED, 0, 1);
        story.refused("b:1", 6, 7);
        story.unlock("a:1", 8, 9);
        story.lock("b:1", 10, 11);
        assertLinearizable(story);
    }

    /** The release of one of several levels does not free the lock. */
    @Test
    void reentry_releasedOnce() {
        story.lock("a:1", 0, 1);
        story.grant("a:1", 2, 3, 0, 2);
        story.returns(story.calls("a:1", What.UNLOCK, 4, 0), 5, Outcome.RELEASED, 0, 1);
        story.lock("b:1", 6, 7);
        assertNotLinearizable(story);
    }

    /** A count with a level that was not acquired is wrong. */
    @Test
    void reentry_miscounted() {
        story.lock("a:1", 0, 1);
        story.grant("a:1", 2, 3, 0, 3);
        assertNotLinearizable(story);
    }

    /** A count after a release that does not match the levels is wrong. */
    @Test
    void release_miscounted() {
        story.lock("a:1", 0, 1);
        story.returns(story.calls("a:1", What.UNLOCK, 4, 0), 5, Outcome.RELEASED, 0, 1);
        assertNotLinearizable(story);
    }

    /** An owner without a hold cannot release. */
    @Test
    void release_byAnother() {
        story.lock("a:1", 0, 1);
        story.unlock("b:1", 2, 3);
        assertNotLinearizable(story);
    }

    /** "Not held" is correct for an owner without a hold. */
    @Test
    void release_notHeld() {
        story.lock("a:1", 0, 1);
        story.call("b:1", What.UNLOCK, 2, 3, Outcome.NOT_HELD);
        assertLinearizable(story);
    }

    /** "Busy" is wrong for a free lock. */
    @Test
    void refusal_ofFreeLock() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 2, 3);
        story.refused("b:1", 4, 5);
        assertNotLinearizable(story);
    }

    /** "Busy" is correct if the lock was held at any moment of the call. */
    @Test
    void refusal_ofBusyMoment() {
        story.refused("b:1", 0, 100);
        story.lock("a:1", 10, 11);
        story.unlock("a:1", 12, 13);
        assertLinearizable(story);
    }

    /** A wait may end with a reply that is as old as the command timeout, and no older. */
    @Test
    void refusal_onOldAnswer() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 2, 3);
        story.returns(story.calls("b:1", What.TRY_WAIT, 53, 1_000), 53, Outcome.REFUSED, 0, 0);
        assertLinearizable(story);
        story.returns(story.calls("b:1", What.TRY_WAIT, 54, 1_000), 54, Outcome.REFUSED, 0, 0);
        assertNotLinearizable(story);
    }

    /** An owner is not refused the lock that it holds. */
    @Test
    void refusal_ofOwner() {
        story.lock("a:1", 0, 1);
        story.refused("a:1", 2, 3);
        assertNotLinearizable(story);
    }

    /** Redis shows the owner with its number of levels. */
    @Test
    void inspection_asItIs() {
        story.lock("a:1", 0, 1);
        shown("a:1", 2, 1);
        story.grant("a:1", 4, 5, 0, 2);
        shown("a:1", 6, 2);
        assertLinearizable(story);
    }

    /** A count that grew when a command was sent again is wrong. */
    @Test
    void inspection_countedTwice() {
        story.lock("a:1", 0, 1);
        shown("a:1", 2, 2);
        assertNotLinearizable(story);
    }

    /** Redis shows the holder, not another owner. */
    @Test
    void inspection_ofHolder_showsAnother() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.INSPECT, 2, 3, Outcome.NOT_SHOWN);
        story.unlock("a:1", 4, 5);
        assertNotLinearizable(story);
    }

    /** After a loss Redis may show another owner, and a failed inspection proves nothing. */
    @Test
    void inspection_afterTheLoss() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.INSPECT, 2, 3, Outcome.FAILED);
        story.keyLost(4, 5);
        story.lock("b:1", 6, 7);
        story.call("a:1", What.INSPECT, 8, 9, Outcome.NOT_SHOWN);
        assertLinearizable(story);
    }

    private void shown(String owner, long at, int levels) {
        story.returns(story.calls(owner, What.INSPECT, at, 0), at + 1, Outcome.SHOWN, 0, levels);
    }

    /** A lock that cannot be decided within the budget is reported as undecided. */
    @Test
    void budget_isOver() {
        for (int waiter = 0; waiter < 20; waiter++) {
            story.lock("w:" + waiter, 0, 1000);
        }
        Verdict verdict = story.judgedBy(new Linearizability(Story.TERMS, 100));
        assertThat(verdict.decision()).isEqualTo(Decision.UNDECIDED);
        assertThat(verdict.undecided().get(0)).contains("more than 100 cases");
    }
}
