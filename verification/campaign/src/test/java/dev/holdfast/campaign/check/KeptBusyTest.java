package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** A delay of 100 ms, with a drift of 3, and 20 ms for what is prompt. */
final class KeptBusyTest {
    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new KeptBusy(Story.TERMS)).decision();
    }

    private void closed(long from, long to) {
        story.lock("a:1", 0, 1);
        story.closeAfter("a:1", from, to, 100, Outcome.RELEASED);
    }

    /** Another owner gets the lock when the delay has passed. */
    @Test
    void granted_afterTheDelay() {
        closed(2, 3);
        story.lock("b:1", 4, 103);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Another owner gets it before. */
    @Test
    void granted_before() {
        closed(2, 3);
        story.lock("b:1", 4, 90);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** One that has waited for it gets it before, and cannot have had it earlier. */
    @Test
    void granted_before_waiter() {
        story.lock("a:1", 0, 1);
        Op waiter = story.calls("b:1", What.LOCK, 1, -1);
        story.closeAfter("a:1", 2, 3, 100, Outcome.RELEASED);
        story.returns(waiter, 24, Outcome.GRANTED, 0, 1);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Its process was stopped: it may have been granted the lock long before it returned. */
    @Test
    void granted_before_stopped() {
        story.lock("a:1", 0, 1);
        Op waiter = story.calls("b:1", What.LOCK, 1, -1);
        story.fault(Fault.CLIENT_PAUSED, "b", 2, 23);
        story.closeAfter("a:1", 2, 3, 100, Outcome.RELEASED);
        story.returns(waiter, 24, Outcome.GRANTED, 0, 1);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A call that failed promises nothing. */
    @Test
    void failed_promisesNothing() {
        story.lock("a:1", 0, 1);
        story.closeAfter("a:1", 2, 3, 100, Outcome.FAILED);
        story.lock("b:1", 4, 90);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** The lock was lost after it had been set: an excuse. */
    @Test
    void lost_afterwards() {
        closed(2, 3);
        story.keyLost(10, 11);
        story.lock("b:1", 12, 20);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** It was lost before the call, which could not succeed. */
    @Test
    void lost_before() {
        story.lock("a:1", 0, 1);
        story.keyLost(2, 3);
        story.closeAfter("a:1", 4, 5, 100, Outcome.RELEASED);
        story.lock("b:1", 6, 20);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The call returned long after the loss, so its reply was of a command that found nothing. */
    @Test
    void lost_meanwhile() {
        story.lock("a:1", 0, 1);
        story.fault(Fault.REPLIES_SWALLOWED, "a", 2, 12);
        story.keyLost(10, 11);
        story.closeAfter("a:1", 3, 60, 100, Outcome.RELEASED);
        story.lock("b:1", 61, 70);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The reply may have been sent before the loss, and was late. */
    @Test
    void lost_meanwhile_lateReply() {
        story.lock("a:1", 0, 1);
        story.fault(Fault.DELAYED, "a", 2, 50);
        story.keyLost(10, 11);
        story.closeAfter("a:1", 3, 60, 100, Outcome.RELEASED);
        story.lock("b:1", 61, 70);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }
}
