package dev.holdfast.campaign.check;

import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertLinearizable;
import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertNotLinearizable;

import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** Releases of unknown outcome. */
final class LinearizabilityUnknownOutcomeTest {
    private final Story story = new Story();

    /** A release without a reply may take effect at any later time, or never. */
    @Test
    void failedRelease() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 2, 3, Outcome.FAILED);
        story.refused("b:1", 100, 101);
        story.lock("b:1", 102, 103);
        assertLinearizable(story);
    }

    /** But not before it was called. */
    @Test
    void failedRelease_notBefore() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 9);
        story.call("a:1", What.UNLOCK, 10, 11, Outcome.FAILED);
        assertNotLinearizable(story);
    }

    /** It never affects a later hold of its owner. */
    @Test
    void failedRelease_ofOlderHold() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 2, 3, Outcome.FAILED);
        story.lock("a:1", 10, 11);
        story.lock("b:1", 12, 13);
        assertNotLinearizable(story);
    }

    /** A process that was killed during a release may have released the lock. */
    @Test
    void failedRelease_killed() {
        story.lock("a:1", 0, 1);
        story.calls("a:1", What.UNLOCK, 2, 0);
        story.fault(Fault.CLIENT_KILLED, "a", 3, 4);
        story.lock("b:1", 5, 6);
        assertLinearizable(story);
    }

    /** A release that is sent again in a fault, and finds the lock gone, counts as executed; it may have been lost before. */
    @Test
    void repeatedRelease_ofLostHold() {
        story.lock("a:1", 0, 1);
        story.keyLost(2, 3);
        story.lock("b:1", 4, 5);
        story.fault(Fault.HALF_OPEN, "a", 6, 8);
        story.unlock("a:1", 7, 9);
        assertLinearizable(story);
    }

    /** Without a fault of its client, a release is not sent again: it finds out that the hold was lost. */
    @Test
    void release_ofLostHold() {
        story.lock("a:1", 0, 1);
        story.keyLost(2, 3);
        story.lock("b:1", 4, 5);
        story.fault(Fault.HALF_OPEN, "b", 6, 8);
        story.unlock("a:1", 7, 9);
        assertNotLinearizable(story);
    }

    /** Nor does a fault excuse a second holder if nothing was lost. */
    @Test
    void repeatedRelease_nothingLost() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 4, 5);
        story.fault(Fault.HALF_OPEN, "a", 6, 8);
        story.unlock("a:1", 7, 9);
        assertNotLinearizable(story);
    }
}
