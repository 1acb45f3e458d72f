package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** How far the windows reach in which two holders may believe themselves valid at once. What is prompt takes 20 ms here. */
final class NamedTest {
    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new Exclusion(Story.TERMS)).decision();
    }

    private void believes(String owner, long called, long granted, long until) {
        story.believed(story.lock(owner, called, granted), granted, until);
    }

    /** A grant that was under way when the key was deleted may be one of before. */
    @Test
    void underWay_promptly() {
        story.keyLost(50, 55);
        story.lease(500);
        believes("a:1", 40, 75, 400);
        believes("b:1", 60, 76, 400);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** One that comes later is a new one, and two of those are one too many, whatever their leases. */
    @Test
    void underWay_tooLate() {
        story.keyLost(50, 55);
        story.lease(500);
        believes("a:1", 40, 76, 400);
        believes("b:1", 60, 77, 400);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Unless the answer was kept from it by a fault. */
    @Test
    void underWay_whileBroken() {
        story.keyLost(50, 55);
        story.fault(Fault.HALF_OPEN, "a", 45, 90);
        story.lease(500);
        believes("a:1", 40, 95, 400);
        believes("b:1", 60, 77, 400);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Where another had the lock when it was lost, a waiter had not, however soon it has it then. */
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

    /** A server that comes back empty is asked for all holds at the reconnect: 70 ms later, an explicit lease ends as well. */
    @Test
    void emptied_explicitLease() {
        story.lease(500);
        believes("a:1", 0, 1, 125);
        believes("b:1", 60, 61, 400);
        story.dataLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** And not later. */
    @Test
    void emptied_explicitLeaseUnnoticed() {
        story.lease(500);
        believes("a:1", 0, 1, 126);
        believes("b:1", 60, 61, 400);
        story.dataLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Not even a renewed one is given until its next renewal. */
    @Test
    void emptied_watchedLeaseUnnoticed() {
        believes("a:1", 0, 1, 126);
        believes("b:1", 60, 61, 200);
        story.dataLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A fault on the heels of the restart keeps the client from connecting. */
    @Test
    void emptied_thenCutOff() {
        story.lease(500);
        believes("a:1", 0, 1, 320);
        believes("b:1", 60, 61, 400);
        story.dataLost(50, 55);
        story.fault(Fault.BLACK_HOLED, "a", 60, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** What vanished is noticed, also if nobody else takes the lock: a deleted key by the next renewal, within 150 ms. */
    @Test
    void vanished_noticed() {
        believes("a:1", 0, 1, 205);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** If it is not, that is a violation although nobody shares the belief. */
    @Test
    void vanished_unnoticed() {
        believes("a:1", 0, 1, 206);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** An explicit lease is not renewed, and nothing else tells of a deleted key. */
    @Test
    void vanished_explicitLease() {
        story.lease(500);
        believes("a:1", 0, 1, 490);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A renewal that is not answered tells nothing. */
    @Test
    void vanished_whileBroken() {
        believes("a:1", 0, 1, 290);
        story.keyLost(50, 55);
        story.fault(Fault.BLACK_HOLED, "a", 100, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Who asked before the loss and was granted after it may have what is there now. */
    @Test
    void vanished_grantedAfterwards() {
        believes("a:1", 40, 60, 350);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A lost lock that is passed on within a client is believed in until the answer is there. */
    @Test
    void handedOn() {
        handedOn(0);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** But a fenced one is not had before the answer: nobody starts early, and nothing is excused. */
    @Test
    void handedOn_fenced() {
        handedOn(7);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A lock is lost, b takes it, and a:1 hands what it no longer has to a:2. */
    private void handedOn(long token) {
        story.lock("a:1", 0, 1);
        story.keyLost(50, 55);
        believes("b:1", 60, 61, 400);
        story.call("a:1", What.UNLOCK, 100, 130, Outcome.LOST);
        Op next = story.grant("a:2", 80, 101, token, 1);
        story.believed(next, 101, 150);
    }
}
