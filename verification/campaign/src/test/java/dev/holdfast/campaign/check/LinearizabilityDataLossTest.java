package dev.holdfast.campaign.check;

import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertLinearizable;
import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertNotLinearizable;

import org.junit.jupiter.api.Test;

/** Locks that the server has lost. */
final class LinearizabilityDataLossTest {
    private final Story story = new Story();

    /** A lost lock is free from the earliest time at which it can have been lost. */
    @Test
    void dataLost() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 20);
        story.lock("b:1", 2, 10);
        assertLinearizable(story);
    }

    /** Before that, it is not. */
    @Test
    void dataLost_later() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 20);
        story.lock("b:1", 2, 9);
        assertNotLinearizable(story);
    }

    /** No earlier hold exists afterwards. */
    @Test
    void dataLost_holdGoesOn() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 20);
        story.unlock("a:1", 21, 22);
        assertNotLinearizable(story);
    }

    /** Where a replica takes over, a hold may go on, or another owner may have the lock instead. */
    @Test
    void dataPerhapsLost() {
        story.lock("a:1", 0, 1);
        story.dataPerhapsLost(10, 20);
        story.unlock("a:1", 21, 22);
        assertLinearizable(story);
    }

    /** The same for the other case. */
    @Test
    void dataPerhapsLost_wasLost() {
        story.lock("a:1", 0, 1);
        story.dataPerhapsLost(10, 20);
        story.lock("b:1", 2, 10);
        assertLinearizable(story);
    }

    /** Not both. */
    @Test
    void dataPerhapsLost_twoHolds() {
        story.lock("a:1", 0, 1);
        story.dataPerhapsLost(10, 20);
        story.lock("b:1", 12, 13);
        story.unlock("a:1", 21, 22);
        assertNotLinearizable(story);
    }
}
