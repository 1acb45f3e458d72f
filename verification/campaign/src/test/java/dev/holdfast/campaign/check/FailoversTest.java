package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Event.FaultBegan;
import dev.holdfast.campaign.history.Event.Inspected;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/**
 * What the rules excuse when a master is replaced between 50 and 100. A client is connected to the new one, and has put
 * right what that lacks, by 220.
 */
final class FailoversTest {
    private final Story story = new Story();

    private void failover() {
        story.fault(Fault.MASTER_REPLACED, Inspected.SERVER, 50, 100);
        story.dataPerhapsLost(50, 100);
    }

    private Decision decision(Checker rule) {
        return story.judgedBy(rule).decision();
    }

    private Decision exclusion() {
        return decision(new Exclusion(Story.TERMS));
    }

    /** A hold that was lost may be considered valid until its client has verified it. */
    @Test
    void lost_untilVerified() {
        heldBesideAnother(220);
        assertThat(exclusion()).isEqualTo(Decision.KEPT);
    }

    @Test
    void lost_forLonger() {
        heldBesideAnother(221);
        assertThat(exclusion()).isEqualTo(Decision.VIOLATED);
    }

    private void heldBesideAnother(long until) {
        failover();
        story.believed(story.lock("a:1", 0, 1), 1, until);
        story.believed(story.lock("b:1", 101, 102), 102, 400);
    }

    /** A hold may survive. */
    @Test
    void survivor_isValid() {
        failover();
        story.believed(story.lock("a:1", 0, 1), 1, 290);
        assertThat(exclusion()).isEqualTo(Decision.KEPT);
    }

    /** A grant of the former master may be on its way when it is replaced. */
    @Test
    void grant_onItsWay() {
        grantedBesideAnother(120);
        assertThat(exclusion()).isEqualTo(Decision.KEPT);
    }

    /** A grant that comes later is not to be believed, although it was requested before. */
    @Test
    void grant_later() {
        grantedBesideAnother(121);
        assertThat(exclusion()).isEqualTo(Decision.VIOLATED);
    }

    private void grantedBesideAnother(long at) {
        failover();
        story.believed(story.lock("b:1", 101, 102), 102, 400);
        story.believed(story.lock("a:1", 60, at), at, 150);
    }

    /** A lock whose release the new master lacks is free when that was repeated. */
    @Test
    void released_isFreeSoon() {
        failover();
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 40, 45);
        story.lock("b:1", 60, 280);
        assertThat(decision(new WakeUps(Story.TERMS))).isEqualTo(Decision.KEPT);
    }

    /** It is not kept for the rest of the lease. */
    @Test
    void released_isNotFree() {
        failover();
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 40, 45);
        story.lock("b:1", 60, 281);
        assertThat(decision(new WakeUps(Story.TERMS))).isEqualTo(Decision.VIOLATED);
    }

    /** A hold that the new master was found to lack keeps nobody waiting, and one that ran out may. */
    @Test
    void missed_keepsNobodyWaiting() {
        failover();
        story.announced(story.lock("a:1", 0, 1), 130, Loss.FAILOVER);
        story.lock("b:1", 60, 281);
        assertThat(decision(new WakeUps(Story.TERMS))).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void ranOut_mayBeThere() {
        failover();
        story.announced(story.lock("a:1", 0, 1), 130, Loss.UNREACHABLE);
        story.lock("b:1", 60, 281);
        assertThat(decision(new WakeUps(Story.TERMS))).isEqualTo(Decision.KEPT);
    }

    /** Until a release is repeated, the lock may be busy. */
    @Test
    void busy_untilRepeated() {
        assertThat(refusedAt(219)).isEqualTo(Decision.KEPT);
    }

    @Test
    void busy_forLonger() {
        assertThat(refusedAt(221)).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void busy_before() {
        assertThat(refusedAt(47)).isEqualTo(Decision.VIOLATED);
    }

    private Decision refusedAt(long time) {
        failover();
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 40, 45);
        story.refused("b:1", time, time + 1);
        return decision(new Linearizability(Story.TERMS));
    }

    /** A loss by a failover is reported only after one. */
    @Test
    void reported_afterIt() {
        failover();
        reportedAt(130);
        assertThat(decision(new Alarms(Story.TERMS))).isEqualTo(Decision.KEPT);
    }

    @Test
    void reported_withoutOne() {
        story.fault(Fault.MASTER_REPLACED, Inspected.SERVER, 50, 100);
        reportedAt(130);
        assertThat(decision(new Alarms(Story.TERMS))).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void reported_afterARestartWithoutData() {
        story.dataLost(50, 100);
        reportedAt(130);
        assertThat(decision(new Alarms(Story.TERMS))).isEqualTo(Decision.VIOLATED);
    }

    private void reportedAt(long time) {
        Op held = story.lock("a:1", 0, 1);
        story.confirmed(held, 20, 25);
        story.announced(held, time, Loss.FAILOVER);
    }

    /** If nothing can be lost, since the locks are replicated, a lost hold is a contradiction. */
    @Test
    void replicated_isNotLost() {
        story.fault(Fault.MASTER_REPLACED, Inspected.SERVER, 50, 100);
        story.lock("a:1", 0, 1);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 130, 0), 131, Loss.FAILOVER);
        assertThat(decision(new Linearizability(Story.TERMS))).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void notReplicated_mayBeLost() {
        failover();
        story.lock("a:1", 0, 1);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 130, 0), 131, Loss.FAILOVER);
        assertThat(decision(new Linearizability(Story.TERMS))).isEqualTo(Decision.KEPT);
    }

    /** A fault of servers that no command goes to excuses nothing. */
    @Test
    void others_areNoExcuse() {
        story.fault(Fault.REPLICAS_CUT, FaultBegan.OTHERS, 12, 300);
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 10, 11, Outcome.RELEASED);
        story.lock("b:1", 5, 100);
        assertThat(decision(new WakeUps(Story.TERMS))).isEqualTo(Decision.VIOLATED);
    }
}
