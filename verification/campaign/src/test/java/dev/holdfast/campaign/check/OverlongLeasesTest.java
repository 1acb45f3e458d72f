package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Event.LeaseShown;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** A renewed lease is 300 ms. */
final class OverlongLeasesTest {
    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new OverlongLeases(Story.TERMS)).decision();
    }

    /** The lease that is left is no longer than the requested one. */
    @Test
    void shown_asRequested() {
        story.lease(500).lock("a:1", 0, 1);
        story.shown("a:1", 2, 3, 500);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A hold must not have the lease of an abandoned acquisition that it adopted. */
    @Test
    void shown_ofOneGivenUpBefore() {
        story.lease(30_000).call("a:1", What.LOCK, 0, 1, Outcome.CANCELLED);
        story.lease(500).lock("a:1", 2, 3);
        story.shown("a:1", 4, 5, 29_990);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A watched hold may have a renewed lease, and no longer one. */
    @Test
    void shown_watched() {
        story.lock("a:1", 2, 3);
        story.shown("a:1", 4, 5, 300);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        story.shown("a:1", 6, 7, 301);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Of several levels, the longest lease counts. */
    @Test
    void shown_ofALevel() {
        story.lease(500).lock("a:1", 0, 1);
        story.lease(900).grant("a:1", 2, 3, 0, 2);
        story.shown("a:1", 4, 5, 900);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** An abandoned re-entry may have lengthened the lease, which is not shortened again. */
    @Test
    void shown_ofALevelGivenUp() {
        story.lease(500).lock("a:1", 0, 1);
        story.lease(900).call("a:1", What.TRY_WAIT, 2, 3, Outcome.INTERRUPTED);
        story.shown("a:1", 4, 5, 900);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** An extension lengthens the lease. */
    @Test
    void shown_extended() {
        story.lease(500).lock("a:1", 0, 1);
        story.lease(900).call("a:1", What.EXTEND, 2, 3, Outcome.EXTENDED);
        story.shown("a:1", 4, 5, 900);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** An abandoned acquisition of another owner is no excuse. */
    @Test
    void shown_ofAnother() {
        story.lease(500).lock("a:1", 0, 1);
        story.lease(900).call("a:2", What.TRY_WAIT, 2, 3, Outcome.INTERRUPTED);
        story.shown("a:1", 4, 5, 900);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** No lock is without expiry. */
    @Test
    void shown_withoutExpiry() {
        story.lock("a:1", 0, 1);
        story.shown("a:1", 2, 3, LeaseShown.FOR_EVER);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }
}
