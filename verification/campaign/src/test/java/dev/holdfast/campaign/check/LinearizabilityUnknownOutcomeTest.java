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
}
