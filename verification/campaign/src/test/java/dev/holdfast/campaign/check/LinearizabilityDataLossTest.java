package dev.holdfast.campaign.check;

import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertLinearizable;
import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertNotLinearizable;

import org.junit.jupiter.api.Test;

/** A lock that the server has forgotten. */
final class LinearizabilityDataLossTest {
    private final Story story = new Story();

    /** What the server forgot is free, from when it can have forgotten it. */
    @Test
    void dataLost() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 20);
        story.lock("b:1", 2, 10);
        assertLinearizable(story);
    }

    /** And not before. */
    @Test
    void dataLost_later() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 20);
        story.lock("b:1", 2, 9);
        assertNotLinearizable(story);
    }

    /** Nor does anybody have it afterwards who had it before. */
    @Test
    void dataLost_holdGoesOn() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 20);
        story.unlock("a:1", 21, 22);
        assertNotLinearizable(story);
    }
}
