package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** The limits of the windows in which two holders may be valid at once. Prompt means 20 ms here. */
final class NamedTest {
    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new Exclusion(Story.TERMS)).decision();
    }

    private void believes(String owner, long called, long granted, long until) {
        story.believed(story.lock(owner, called, granted), granted, until);
    }

    /** A grant in flight when the key was deleted may be one from before. */
    @Test
    void underWay_promptly() {
        story.keyLost(50, 55);
        story.lease(500);
        believes("a:1", 40, 75, 400);
        believes("b:1", 60, 76, 400);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A later grant is a new one, and two of those are a violation, whatever their leases. */
    @Test
    void underWay_tooLate() {
        story.keyLost(50, 55);
        story.lease(500);
        believes("a:1", 40, 76, 400);
        believes("b:1", 60, 77, 400);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A fault may have delayed the reply. */
    @Test
    void underWay_whileBroken() {
        story.keyLost(50, 55);
        story.fault(Fault.HALF_OPEN, "a", 45, 90);
        story.lease(500);
        believes("a:1", 40, 95, 400);
        believes("b:1", 60, 77, 400);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** If another owner had the lock when it was lost, a waiter had not, however soon it is granted afterwards. */
    @Test
    void underWay_whileAnotherHadIt() {
        believes("c:1", 0, 1, 60);
        story.call("c:1", What.UNLOCK, 60, 61, Outcome.LOST);
        story.keyLost(50, 55);
        story.lease(500);
        believes("a:1", 40, 62, 400);
        believes("b:1", 60, 63, 400);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /**
     * After a restart without data all holds are verified at the reconnect: 70 ms later, an explicit lease has ended as
     * well.
     */
    @Test
    void emptied_explicitLease() {
        story.lease(500);
        believes("a:1", 0, 1, 125);
        believes("b:1", 60, 61, 400);
        story.dataLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** It ends no later than that. */
    @Test
    void emptied_explicitLeaseUnnoticed() {
        story.lease(500);
        believes("a:1", 0, 1, 126);
        believes("b:1", 60, 61, 400);
        story.dataLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A watched lease does not last until its next renewal either. */
    @Test
    void emptied_watchedLeaseUnnoticed() {
        believes("a:1", 0, 1, 126);
        believes("b:1", 60, 61, 200);
        story.dataLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A fault right after the restart prevents the reconnect. */
    @Test
    void emptied_thenCutOff() {
        story.lease(500);
        believes("a:1", 0, 1, 320);
        believes("b:1", 60, 61, 400);
        story.dataLost(50, 55);
        story.fault(Fault.BLACK_HOLED, "a", 60, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /**
     * A vanished hold is detected even if no other owner acquires the lock: a deleted key by the next renewal, within
     * 150 ms.
     */
    @Test
    void vanished_noticed() {
        believes("a:1", 0, 1, 205);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** If it is not detected, that is a violation even without an overlap. */
    @Test
    void vanished_unnoticed() {
        believes("a:1", 0, 1, 206);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** An explicit lease is not renewed, and the deletion of its key is not detected otherwise. */
    @Test
    void vanished_explicitLease() {
        story.lease(500);
        believes("a:1", 0, 1, 490);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A renewal without a reply detects nothing. */
    @Test
    void vanished_whileBroken() {
        believes("a:1", 0, 1, 290);
        story.keyLost(50, 55);
        story.fault(Fault.BLACK_HOLED, "a", 100, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A call from before the loss that is granted after it may have the lock that exists then. */
    @Test
    void vanished_grantedAfterwards() {
        believes("a:1", 40, 60, 350);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A lost lock that is handed off within a client may be valid until the reply. */
    @Test
    void handedOn() {
        handedOn(0);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A fenced lock has no early start, so nothing is excused. */
    @Test
    void handedOn_fenced() {
        handedOn(7);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A lock is lost, b acquires it, and a:1 hands off to a:2 what it no longer has. */
    private void handedOn(long token) {
        story.lock("a:1", 0, 1);
        story.keyLost(50, 55);
        believes("b:1", 60, 61, 400);
        story.call("a:1", What.UNLOCK, 100, 130, Outcome.LOST);
        Op next = story.grant("a:2", 80, 101, token, 1);
        story.believed(next, 101, 150);
    }
}
