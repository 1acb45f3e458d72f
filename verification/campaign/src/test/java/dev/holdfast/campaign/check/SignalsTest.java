package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import org.junit.jupiter.api.Test;

/** A buffer for three items, which is empty at first; what is prompt takes 20 ms, and what a fault has lost is found after 450 ms. */
final class SignalsTest {
    private final Story story = new Story();
    private final Op holder = story.lock("a:1", 0, 1);

    private Verdict verdict() {
        return story.judgedBy(new Signals(Story.TERMS));
    }

    private Decision decision() {
        return verdict().decision();
    }

    private void emptied(long at) {
        story.exchanged(holder, at - 1, at, 5, 5);
    }

    private void filled(long at) {
        story.exchanged(holder, at - 1, at, 6, 5);
    }

    private void awaitsItem(long from, long to) {
        story.returns(story.awaits("w:1", from, 5_000, false), to, Outcome.GRANTED, 0, 1);
    }

    @Test
    void waiter_withoutItem() {
        emptied(10);
        awaitsItem(20, 1_020);
        filled(1_010);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().judged()).isEqualTo(1);
    }

    @Test
    void waiter_besideAnItem() {
        emptied(10);
        awaitsItem(20, 140);
        filled(100);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Another one has taken the item. */
    @Test
    void waiter_forTheNextItem() {
        emptied(10);
        awaitsItem(20, 1_020);
        filled(100);
        story.exchanged(holder, 109, 110, 6, 6);
        story.exchanged(holder, 1_009, 1_010, 7, 6);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    @Test
    void waiter_besideRoom() {
        story.exchanged(holder, 9, 10, 8, 5);
        Op op = story.awaits("w:1", 20, 5_000, true);
        story.exchanged(holder, 99, 100, 8, 6);
        story.returns(op, 140, Outcome.GRANTED, 0, 1);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void waiter_withoutRoom() {
        story.exchanged(holder, 9, 10, 8, 5);
        Op op = story.awaits("w:1", 20, 5_000, true);
        story.exchanged(holder, 129, 130, 8, 6);
        story.returns(op, 140, Outcome.GRANTED, 0, 1);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** The client that was signalled may have been cut off; the others find that after a lease and a third. */
    @Test
    void waiter_afterAFaultOfAnother() {
        emptied(10);
        awaitsItem(20, 560);
        filled(100);
        story.fault(Fault.BLACK_HOLED, "b", 90, 110);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    @Test
    void waiter_longAfterAFaultOfAnother() {
        emptied(10);
        awaitsItem(20, 610);
        filled(100);
        story.fault(Fault.BLACK_HOLED, "b", 90, 110);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** No lease has ended, and no command has failed. */
    @Test
    void waiter_afterABriefStandstill() {
        emptied(10);
        awaitsItem(20, 200);
        filled(100);
        story.stoodStill("b", 90, 110);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** It had put the item, and is killed before it has released the lock, which sends the signal. */
    @Test
    void waiter_afterAChangeWithoutSignal() {
        emptied(10);
        awaitsItem(20, 5_000);
        filled(100);
        story.fault(Fault.CLIENT_KILLED, "a", 101, 102);
        story.lock("b:1", 600, 601);
        story.exchanged(holder, 605, 606, 7, 5);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().excused()).isEqualTo(1);
    }

    /** Who begins to wait after that has found no such change. */
    @Test
    void waiter_afterAKill() {
        story.fault(Fault.CLIENT_KILLED, "a", 3, 4);
        Op other = story.lock("b:1", 400, 401);
        story.exchanged(other, 402, 403, 5, 5);
        awaitsItem(500, 700);
        story.exchanged(other, 510, 511, 6, 5);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    private void takenByAKilledProcess() {
        filled(100);
        story.lock("b:1", 105, 106);
        story.fault(Fault.CLIENT_KILLED, "b", 110, 111);
    }

    /** The killed process has taken the item, which its journal lacks. */
    @Test
    void waiter_afterAnUnrecordedChange() {
        takenByAKilledProcess();
        awaitsItem(700, 1_700);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** The next one has not found the item. */
    @Test
    void waiter_beforeTheNextChange() {
        takenByAKilledProcess();
        awaitsItem(700, 1_700);
        story.exchanged(holder, 1_689, 1_690, 7, 6);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** It has released the lock, and with it the signal. */
    @Test
    void waiter_afterTheKillOfOneThatHasSignalled() {
        emptied(10);
        awaitsItem(20, 5_000);
        filled(100);
        story.unlock("a:1", 105, 106);
        story.fault(Fault.CLIENT_KILLED, "a", 110, 111);
        story.exchanged(holder, 1_000, 1_001, 7, 5);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }
}
