package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Event.LeaseShown;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** A lease that is renewed is 300 ms. */
final class OverlongLeasesTest {
    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new OverlongLeases(Story.TERMS)).decision();
    }

    /** What is left is no more than what was asked for. */
    @Test
    void shown_asAsked() {
        story.lease(500).lock("a:1", 0, 1);
        story.shown("a:1", 2, 3, 500);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A hold that was set on another of its owner, which had been given up, has the lease of that one. */
    @Test
    void shown_ofOneGivenUpBefore() {
        story.lease(30_000).call("a:1", What.LOCK, 0, 1, Outcome.CANCELLED);
        story.lease(500).lock("a:1", 2, 3);
        story.shown("a:1", 4, 5, 29_990);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A hold that is renewed can have such a lease as well. */
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

    /** A level that was given up has made the lease longer, and nobody makes it shorter again. */
    @Test
    void shown_ofALevelGivenUp() {
        story.lease(500).lock("a:1", 0, 1);
        story.lease(900).call("a:1", What.TRY_WAIT, 2, 3, Outcome.INTERRUPTED);
        story.shown("a:1", 4, 5, 900);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** So does what the holder asks for later, but not before. */
    @Test
    void shown_extended() {
        story.lease(500).lock("a:1", 0, 1);
        story.lease(900).call("a:1", What.EXTEND, 2, 3, Outcome.EXTENDED);
        story.shown("a:1", 4, 5, 900);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** What another owner gave up is no excuse. */
    @Test
    void shown_ofAnother() {
        story.lease(500).lock("a:1", 0, 1);
        story.lease(900).call("a:2", What.TRY_WAIT, 2, 3, Outcome.INTERRUPTED);
        story.shown("a:1", 4, 5, 900);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** No lock is kept for ever. */
    @Test
    void shown_withoutExpiry() {
        story.lock("a:1", 0, 1);
        story.shown("a:1", 2, 3, LeaseShown.FOR_EVER);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }
}
