package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** A turn may take 200 ms; an answer 50 ms, and 20 ms more. */
final class TurnLengthTest {
    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new Turns(Story.TERMS)).decision();
    }

    /** A waiter may be granted at the last moment. */
    @Test
    void lock_inTime() {
        story.lock("a:1", 0, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A waiter that is granted later is a violation. */
    @Test
    void lock_late() {
        story.lock("a:1", 0, 201);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The time until the end of the last fault does not count. */
    @Test
    void lock_afterTheLastFault() {
        story.fault(Fault.SERVER_PAUSED, "server", 10, 1000);
        Op waiting = story.calls("a:1", What.LOCK, 0, -1);
        story.inspected("server", 1200);
        assertThat(decision()).isEqualTo(Decision.UNDECIDED);
        story.returns(waiting, 1200, Outcome.GRANTED, 0, 1);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A waiter that is granted too late after the last fault is reported. */
    @Test
    void lock_lateAfterTheLastFault() {
        story.fault(Fault.SERVER_PAUSED, "server", 10, 1000);
        story.lock("a:1", 0, 1201);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** During a fault without an end, a late call is undecided; calls in time are correct. */
    @Test
    void lock_faultWithoutEnd() {
        story.faultWithoutEnd(Fault.SERVER_PAUSED, "server", 10);
        story.lock("a:1", 0, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        story.lock("a:2", 0, 201);
        assertThat(decision()).isEqualTo(Decision.UNDECIDED);
    }

    /** A call that never returns is reported if the history is long enough. */
    @Test
    void lock_never() {
        story.calls("a:1", What.LOCK, 0, -1);
        story.inspected("server", 201);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A call of a killed process need not return. */
    @Test
    void lock_killed() {
        story.calls("a:1", What.LOCK, 0, -1);
        story.fault(Fault.CLIENT_KILLED, "a", 1, 2);
        story.inspected("server", 500);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A wait with a limit ends in time. */
    @Test
    void tryWait_inTime() {
        story.returns(story.calls("a:1", What.TRY_WAIT, 0, 500), 570, Outcome.REFUSED, 0, 0);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A wait that ends later is reported. */
    @Test
    void tryWait_late() {
        story.returns(story.calls("a:1", What.TRY_WAIT, 0, 500), 571, Outcome.REFUSED, 0, 0);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A call that does not wait returns at once. */
    @Test
    void unlock_late() {
        story.unlock("a:1", 0, 71);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }
}
