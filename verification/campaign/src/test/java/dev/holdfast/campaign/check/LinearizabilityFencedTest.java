package dev.holdfast.campaign.check;

import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertLinearizable;
import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertNotLinearizable;

import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** The tokens of fenced locks. */
final class LinearizabilityFencedTest {
    private final Story story = new Story();

    /** Tokens grow in the order of the holds, even if calls overlap. */
    @Test
    void tokens() {
        story.grant("a:1", 0, 10, 1, 1);
        story.grant("a:1", 11, 12, 1, 2);
        story.returns(story.calls("a:1", What.UNLOCK, 13, 0), 14, Outcome.RELEASED, 0, 1);
        story.unlock("a:1", 20, 21);
        story.grant("b:1", 5, 22, 2, 1);
        assertLinearizable(story);
        story.unlock("b:1", 30, 31);
        story.grant("c:1", 6, 32, 2, 1);
        assertNotLinearizable(story);
    }

    /** A re-entry has the token of its hold. */
    @Test
    void tokens_reentry() {
        story.grant("a:1", 0, 10, 1, 1);
        story.grant("a:1", 11, 12, 2, 2);
        assertNotLinearizable(story);
    }

    /** Tokens may begin anew after the server has lost them. */
    @Test
    void tokens_lost() {
        story.grant("a:1", 0, 10, 7, 1);
        story.tokensLost(20, 21);
        story.grant("b:1", 22, 23, 1, 1);
        assertLinearizable(story);
    }

    /** They may not if it has lost only its locks. */
    @Test
    void tokens_kept() {
        story.grant("a:1", 0, 10, 7, 1);
        story.dataLost(20, 21);
        story.grant("b:1", 22, 23, 1, 1);
        assertNotLinearizable(story);
    }
}
