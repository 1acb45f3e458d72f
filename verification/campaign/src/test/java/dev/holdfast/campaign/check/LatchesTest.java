package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** A latch with a count of two and a lifetime of 500 ms; what is prompt takes 20 ms. */
final class LatchesTest {
    private final Story story = new Story().at(Story.LOCK + ":7");

    private Decision decision() {
        return story.judgedBy(new Latches(Story.TERMS)).decision();
    }

    private void set(String owner, long from, long to) {
        Op op = story.lease(500).calls(owner, What.SET_COUNT, from, -1);
        story.lease(0).returns(op, to, Outcome.DONE, 0, 2);
    }

    private void countDown(String owner, long from, long to) {
        story.call(owner, What.COUNT_DOWN, from, to, Outcome.DONE);
    }

    private void awaited(long from, long to, Outcome outcome) {
        story.returns(story.calls("w:1", What.AWAIT, from, 400), to, outcome, 0, 0);
    }

    /** It opens when the second countdown may have been executed. */
    @Test
    void opened_byTheLastCountdown() {
        set("a:1", 0, 1);
        awaited(5, 62, Outcome.DONE);
        countDown("a:1", 30, 31);
        countDown("b:1", 60, 65);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(story.judgedBy(new Latches(Story.TERMS)).judged()).isEqualTo(1);
    }

    /** A countdown counted twice. */
    @Test
    void opened_byOneCountdown() {
        set("a:1", 0, 1);
        awaited(5, 50, Outcome.DONE);
        countDown("a:1", 30, 31);
        countDown("b:1", 60, 65);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A latch that is not known to have a count may be open. */
    @Test
    void opened_whileItIsSet() {
        set("a:1", 0, 10);
        awaited(5, 12, Outcome.DONE);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Those that have counted it down before have opened a former count. */
    @Test
    void opened_byCountdownsOfTheFormerCount() {
        set("a:1", 0, 1);
        countDown("a:1", 30, 31);
        countDown("b:1", 32, 33);
        set("b:1", 40, 41);
        awaited(50, 60, Outcome.DONE);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A killed process may have counted it down. */
    @Test
    void opened_byACallThatDidNotReturn() {
        set("a:1", 0, 1);
        countDown("a:1", 30, 31);
        story.calls("b:1", What.COUNT_DOWN, 40, -1);
        awaited(5, 50, Outcome.DONE);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A latch is open once its lifetime is over, for one that comes then. */
    @Test
    void opened_afterItsLifetime() {
        set("a:1", 0, 1);
        awaited(505, 510, Outcome.DONE);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    @Test
    void opened_afterItWasLost() {
        set("a:1", 0, 1);
        awaited(5, 50, Outcome.DONE);
        story.dataLost(30, 40);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** The master of the lock was replaced, which has the latch, too. */
    @Test
    void gone_withTheMaster() {
        set("a:1", 0, 1);
        awaited(5, 50, Outcome.GONE);
        story.keyLost(30, 40);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    @Test
    void gone_beforeTheEndOfItsLifetime() {
        set("a:1", 0, 1);
        awaited(5, 400, Outcome.GONE);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void gone_atTheEndOfItsLifetime() {
        set("a:1", 0, 1);
        awaited(200, 501, Outcome.GONE);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    private void sleeper(long from, long to, Outcome outcome) {
        set("a:1", 0, 1);
        awaited(from, to, outcome);
        countDown("a:1", 60, 61);
        countDown("b:1", 62, 63);
    }

    /** Both countdowns have returned, and it does not return for 20 ms. */
    @Test
    void waiter_isLate() {
        sleeper(5, 90, Outcome.DONE);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void waiter_isSoonAwake() {
        sleeper(5, 80, Outcome.DONE);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** It is not awake at the end of its wait either: the opening is missed, or a countdown was lost. */
    @Test
    void waiter_timesOut() {
        sleeper(5, 405, Outcome.COUNTING);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A new count follows at once: it has awaited the first one. */
    @Test
    void waiter_timesOutAfterANewCount() {
        sleeper(5, 405, Outcome.COUNTING);
        set("b:1", 64, 65);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** It may have found the new one. */
    @Test
    void waiter_timesOutAtANewCount() {
        sleeper(50, 405, Outcome.COUNTING);
        set("b:1", 64, 65);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Its client does not hear. */
    @Test
    void waiter_isLateInAFault() {
        sleeper(5, 90, Outcome.DONE);
        story.fault(Fault.CUT_RST, "w", 50, 60);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** The fault of another client does not matter. */
    @Test
    void waiter_isLateInTheFaultOfAnother() {
        sleeper(5, 90, Outcome.DONE);
        story.fault(Fault.CUT_RST, "b", 50, 60);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void waiter_fails() {
        set("a:1", 0, 1);
        awaited(5, 400, Outcome.FAILED);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void waiter_failsInAFault() {
        set("a:1", 0, 1);
        awaited(5, 400, Outcome.FAILED);
        story.fault(Fault.BLACK_HOLED, "w", 50, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }
}
