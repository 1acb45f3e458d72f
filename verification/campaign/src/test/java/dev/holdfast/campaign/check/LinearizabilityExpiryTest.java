package dev.holdfast.campaign.check;

import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertLinearizable;
import static dev.holdfast.campaign.check.LinearizabilityAssertions.assertNotLinearizable;

import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** The times at which holds can end without a release. */
final class LinearizabilityExpiryTest {
    private final Story story = new Story();

    /** A lease that was not renewed can be over when it has passed: after 297 ms, with the drift. */
    @Test
    void expiry() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 297);
        assertLinearizable(story);
    }

    /** Before that, it cannot. */
    @Test
    void expiry_tooEarly() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 296);
        assertNotLinearizable(story);
    }

    /** The lease of a waiter begins when the lock is granted, not when it was requested. */
    @Test
    void expiry_ofWaiter() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 201);
        story.unlock("a:1", 200, 201);
        story.lock("c:1", 3, 496);
        assertNotLinearizable(story);
    }

    /** A lease cannot be over before it has passed since a renewal was sent. */
    @Test
    void expiry_afterRenewal() {
        Op held = story.lock("a:1", 0, 1);
        story.confirmed(held, 100, 105);
        story.lock("b:1", 2, 397);
        assertLinearizable(story);
        story.confirmed(held, 101, 106);
        assertNotLinearizable(story);
    }

    /** An explicit lease has its own length. */
    @Test
    void expiry_explicit() {
        story.lease(1000).lock("a:1", 0, 1);
        story.lease(0).lock("b:1", 2, 990);
        assertNotLinearizable(story);
    }

    /** An extension lengthens the lease. */
    @Test
    void extension() {
        story.lease(50).lock("a:1", 0, 1);
        story.lease(500).call("a:1", What.EXTEND, 40, 41, Outcome.EXTENDED);
        story.lock("b:1", 2, 537);
        assertLinearizable(story);
        story.refused("c:1", 42, 43);
        story.lock("d:1", 44, 100);
        assertNotLinearizable(story);
    }

    /** A renewal proves that its owner had the lock. */
    @Test
    void renewal_afterRelease() {
        Op held = story.lock("a:1", 0, 1);
        story.unlock("a:1", 10, 11);
        story.confirmed(held, 11, 12);
        assertLinearizable(story);
        story.confirmed(held, 12, 13);
        assertNotLinearizable(story);
    }

    /** An unlock may report a loss only if the lease can be over. */
    @Test
    void loss() {
        story.lock("a:1", 0, 1);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 290, 0), 297, Loss.EXPIRED);
        assertLinearizable(story);
        story.lock("b:1", 298, 299);
        story.returnsLost(story.calls("b:1", What.UNLOCK, 300, 0), 301, Loss.EXPIRED);
        assertNotLinearizable(story);
    }

    /** The hold of a closed client stays until its lease ends, or its owner unlocks it although it is lost. */
    @Test
    void loss_closed() {
        story.lock("a:1", 0, 1);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 20, 0), 21, Loss.CLOSED);
        story.refused("b:1", 22, 23);
        story.lock("b:1", 24, 25);
        assertLinearizable(story);
    }

    @Test
    void loss_closed_notUnlocked() {
        story.lock("a:1", 0, 1);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 20, 0), 21, Loss.CLOSED);
        story.lock("b:1", 18, 19);
        assertNotLinearizable(story);
    }

    /** A new hold on top of a lost one begins with one level, and the next unlock belongs to it. */
    @Test
    void loss_holdOnTop() {
        story.lock("a:1", 0, 1);
        story.lock("a:1", 400, 401);
        story.unlock("a:1", 410, 411);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 412, 0), 413, Loss.EXPIRED);
        story.lock("b:1", 414, 415);
        assertLinearizable(story);
    }

    /** No new hold begins on top of one that cannot have been lost. */
    @Test
    void loss_holdOnTopOfLiveOne() {
        story.lock("a:1", 0, 1);
        story.lock("a:1", 100, 101);
        assertNotLinearizable(story);
    }

    /**
     * The owner's lease is counted from its call, the server's from the time at which the lock was free: the server may
     * have a hold that its owner has lost.
     */
    @Test
    void expiry_byTheOwnersClock() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 70, 72);
        story.lease(100).lock("b:1", 10, 80);
        story.returnsLost(story.calls("b:1", What.UNLOCK, 112, 0), 113, Loss.EXPIRED);
        story.lock("a:1", 114, 115);
        assertLinearizable(story);
    }

    /** But not before the lease has passed by the owner's clock. */
    @Test
    void expiry_beforeTheOwnersClock() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 70, 72);
        story.lease(100).lock("b:1", 10, 80);
        story.returnsLost(story.calls("b:1", What.UNLOCK, 100, 0), 101, Loss.EXPIRED);
        assertNotLinearizable(story);
    }
}
