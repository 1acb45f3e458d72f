package dev.holdfast.campaign.check;

import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertLinearizable;
import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertNotLinearizable;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** One lock of a multi-lock, one segment, and a lock that stays busy after its release. A renewed lease is 300 ms. */
final class LinearizabilitySeveralTest {
    private final Story story = new Story();

    private void closedAfter(long delay, Outcome outcome) {
        story.lock("a:1", 0, 1);
        story.closeAfter("a:1", 2, 3, delay, outcome);
    }

    /** Until the delay has passed, less the drift, the lock is busy, and no owner is granted it. */
    @Test
    void closedAfter_granted() {
        closedAfter(100, Outcome.RELEASED);
        story.refused("b:1", 50, 51);
        story.lock("c:1", 52, 99);
        assertLinearizable(story);
    }

    @Test
    void closedAfter_grantedBefore() {
        closedAfter(100, Outcome.RELEASED);
        story.lock("b:1", 50, 98);
        assertNotLinearizable(story);
    }

    /** Its delay may be shorter than the lease was. */
    @Test
    void closedAfter_shorterThanTheLease() {
        story.lease(10_000);
        closedAfter(100, Outcome.RELEASED);
        story.lock("b:1", 50, 150);
        assertLinearizable(story);
    }

    /** If the call failed, the lock may be busy or not. */
    @Test
    void closedAfter_failed() {
        closedAfter(100, Outcome.FAILED);
        story.refused("b:1", 50, 51);
        story.lock("b:1", 52, 53);
        assertLinearizable(story);
    }

    /** It cannot succeed once the lock was lost. */
    @Test
    void closedAfter_lost() {
        story.lock("a:1", 0, 1);
        story.keyLost(2, 3);
        story.closeAfter("a:1", 4, 5, 100, Outcome.RELEASED);
        assertNotLinearizable(story);
    }

    /** A multi-lock has some of its locks while it waits for others, and releases them again. */
    @Test
    void multi_hasSomeMeanwhile() {
        Op joint = story.by(By.MULTI).calls("a:multi-1", What.LOCK, 0, -1);
        story.by(By.BLOCKING).refused("b:1", 50, 51);
        story.lock("c:1", 60, 61);
        story.unlock("c:1", 62, 63);
        story.returns(joint, 100, Outcome.GRANTED, 0, 1);
        assertLinearizable(story);
    }

    /** A call for one lock has none until it returns. */
    @Test
    void plain_hasNothingMeanwhile() {
        Op plain = story.calls("a:1", What.LOCK, 0, -1);
        story.refused("b:1", 50, 51);
        story.lock("c:1", 60, 61);
        story.unlock("c:1", 62, 63);
        story.returns(plain, 100, Outcome.GRANTED, 0, 1);
        assertNotLinearizable(story);
    }

    /** What a call in vain had is released promptly: within 20 ms. */
    @Test
    void multi_inVain() {
        story.by(By.MULTI).call("a:multi-1", What.LOCK, 0, 30, Outcome.MISSED);
        story.by(By.BLOCKING).refused("b:1", 48, 50);
        assertLinearizable(story);
        story.refused("b:1", 52, 53);
        assertNotLinearizable(story);
    }

    /** A call for a segment that got another one may have had this one at its end only. */
    @Test
    void segment_another() {
        story.by(By.SEGMENT).call("a:segment-1", What.LOCK, 0, 100, Outcome.MISSED);
        story.by(By.BLOCKING).refused("b:1", 90, 91);
        assertLinearizable(story);
        story.refused("b:1", 50, 51);
        assertNotLinearizable(story);
    }
}
