package dev.holdfast.campaign.check;

import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertLinearizable;
import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertNotLinearizable;

import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** Locks that are handed off within a client before the server has replied. */
final class LinearizabilityHandoffTest {
    private final Story story = new Story();

    /**
     * A lost lock that is handed off within a client need not exist on the server, if the loss is reported to the next
     * owner.
     */
    @Test
    void handedOn_lost() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 11);
        story.lock("b:1", 12, 13);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 20, 0), 30, Loss.TAKEN);
        Op next = story.lock("a:2", 15, 21);
        story.announced(next, 30, Loss.TAKEN);
        story.returnsLost(story.calls("a:2", What.UNLOCK, 40, 0), 41, Loss.TAKEN);
        story.unlock("b:1", 50, 51);
        assertLinearizable(story);
    }

    /** If it is not reported, two owners had the lock. */
    @Test
    void handedOn_notReported() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 11);
        story.lock("b:1", 12, 13);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 20, 0), 30, Loss.TAKEN);
        story.lock("a:2", 15, 21);
        story.unlock("a:2", 40, 41);
        story.unlock("b:1", 50, 51);
        assertNotLinearizable(story);
    }

    /** A token comes with the reply, so the next owner had the lock. */
    @Test
    void handedOn_lostFenced() {
        story.grant("a:1", 0, 1, 1, 1);
        story.dataLost(10, 11);
        story.grant("b:1", 12, 13, 2, 1);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 20, 0), 30, Loss.TAKEN);
        Op next = story.grant("a:2", 15, 21, 3, 1);
        story.announced(next, 30, Loss.TAKEN);
        story.returnsLost(story.calls("a:2", What.UNLOCK, 40, 0), 41, Loss.TAKEN);
        story.unlock("b:1", 50, 51);
        assertNotLinearizable(story);
    }

    /** A hold that was handed off without a reply can end with the lease of the hold before. */
    @Test
    void handedOn_withoutAnswer() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 200, 290, Outcome.FAILED);
        story.lock("a:2", 190, 201);
        story.lock("b:1", 2, 297);
        assertLinearizable(story);
    }

    /** Until the reply it ends with the previous lease, whatever lease it has on the server. */
    @Test
    void handedOn_answeredTooLate() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 20, 400);
        Op next = story.lease(3000).lock("a:2", 15, 21);
        story.announced(next, 310, Loss.UNREACHABLE);
        story.returnsLost(story.calls("a:2", What.UNLOCK, 410, 0), 411, Loss.UNREACHABLE);
        story.lock("b:1", 2, 420);
        assertLinearizable(story);
    }

    /** After the reply it has its own lease. */
    @Test
    void handedOn_answeredBeforeTheLoss() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 20, 25);
        Op next = story.lease(3000).lock("a:2", 15, 21);
        story.announced(next, 310, Loss.UNREACHABLE);
        story.returnsLost(story.calls("a:2", What.UNLOCK, 410, 0), 411, Loss.UNREACHABLE);
        assertNotLinearizable(story);
    }

    /** With a reply, it has a lease of its own. */
    @Test
    void handedOn_answered() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 200, 290);
        story.lock("a:2", 190, 201);
        story.lock("b:1", 2, 297);
        assertNotLinearizable(story);
    }
}
