package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** A lock that is free at 11 is to be another's at 31; a grant of that time may have been under way for 20 ms more. */
final class WakeUpsTest {
    private final Story story = new Story();

    private Verdict verdict() {
        return story.judgedBy(new WakeUps(Story.TERMS));
    }

    private Decision decision() {
        return verdict().decision();
    }

    private void released() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 10, 11);
    }

    /** A waiter that gets a released lock at once has heard of it. */
    @Test
    void waiter_wakes() {
        released();
        story.lock("b:1", 5, 51);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().judged()).isEqualTo(2);
    }

    /** One that gets it later has slept. */
    @Test
    void waiter_sleeps() {
        released();
        story.lock("b:1", 5, 52);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** One that never gets it has slept. */
    @Test
    void waiter_sleepsForEver() {
        released();
        story.calls("b:1", What.LOCK, 5, -1);
        story.inspected("server", 32);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A release that nobody awaits has arrived soon after it was handed over. */
    @Test
    void waiter_afterUnawaitedRelease() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 10, 11, Outcome.SENT);
        story.lock("b:1", 5, 71);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Who gets the lock later has slept. */
    @Test
    void waiter_sleepsAfterUnawaitedRelease() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 10, 11, Outcome.SENT);
        story.lock("b:1", 5, 72);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** One whose wait ends while it sleeps has slept. */
    @Test
    void waiter_givesUpBesideFreeLock() {
        released();
        story.returns(story.calls("b:1", What.TRY_WAIT, 5, 30), 35, Outcome.REFUSED, 0, 0);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Two that sleep do not excuse each other. */
    @Test
    void waiters_sleepTogether() {
        released();
        story.lock("b:1", 5, 300);
        story.unlock("b:1", 301, 302);
        story.lock("c:1", 5, 303);
        assertThat(verdict().violations()).hasSize(2);
    }

    /** Who does not wait, or began to wait later, sleeps beside nothing. */
    @Test
    void nobodyWaits() {
        released();
        story.refused("b:1", 5, 200);
        story.lock("c:1", 180, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** As long as another has the lock, a wait is none beside a free lock. */
    @Test
    void waiter_whileHeld() {
        released();
        story.lock("b:1", 12, 20);
        story.unlock("b:1", 400, 401);
        story.lock("c:1", 5, 402);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A holder that was killed has the lock for a lease more. */
    @Test
    void waiter_whileDeadHolderHasTheLock() {
        story.lock("a:1", 0, 1);
        story.fault(Fault.CLIENT_KILLED, "a", 10, 11);
        story.lock("b:1", 5, 671);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** And not for two. */
    @Test
    void waiter_longAfterDeadHolder() {
        story.lock("a:1", 0, 1);
        story.fault(Fault.CLIENT_KILLED, "a", 10, 11);
        story.lock("b:1", 5, 800);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** An acquisition that was killed on its way may have the lock for a lease. */
    @Test
    void waiter_besideKilledWaiter() {
        released();
        story.calls("c:1", What.LOCK, 5, -1);
        story.fault(Fault.CLIENT_KILLED, "c", 10, 11);
        story.lock("b:1", 5, 350);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        story.unlock("b:1", 351, 352);
        story.lock("b:1", 353, 900);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** An acquisition that was interrupted takes no more than a moment, 4 ms, from the time in which the lock was free. */
    @Test
    void waiter_besideInterruptedOne() {
        released();
        story.call("c:1", What.LOCK, 5, 30, Outcome.INTERRUPTED);
        story.lock("b:1", 5, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** However many of them give up, a lock that is free for long is seen to be. */
    @Test
    void waiter_besideManyInterruptedOnes() {
        released();
        for (int i = 1; i < 5; i++) {
            story.call("c:" + i, What.LOCK, 5, 10 * i + 10, Outcome.CANCELLED);
        }
        story.lock("b:1", 5, 68);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** What a client that was hit had taken is given back when it is connected again, 120 ms after the fault. */
    @Test
    void waiter_besideInterruptedOneOfHitClient() {
        released();
        story.fault(Fault.BLACK_HOLED, "c", 20, 25);
        story.call("c:1", What.LOCK, 5, 30, Outcome.INTERRUPTED);
        story.lock("b:1", 5, 205);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** And not much later. */
    @Test
    void waiter_longAfterInterruptedOneOfHitClient() {
        released();
        story.fault(Fault.BLACK_HOLED, "c", 20, 25);
        story.call("c:1", What.LOCK, 5, 30, Outcome.INTERRUPTED);
        story.lock("b:1", 5, 206);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A release without answer may still be on its way for a lease. */
    @Test
    void waiter_afterFailedRelease() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 10, 60, Outcome.FAILED);
        story.lock("b:1", 5, 400);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** While something is broken, nothing can be heard. */
    @Test
    void waiter_whileBroken() {
        released();
        story.fault(Fault.BLACK_HOLED, "b", 12, 300);
        story.lock("b:1", 5, 340);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Soon after, it can. */
    @Test
    void waiter_afterTheFault() {
        released();
        story.fault(Fault.BLACK_HOLED, "b", 12, 300);
        story.lock("b:1", 5, 370);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Nobody hears of a deleted key: its waiters wait for the end of the lease. */
    @Test
    void waiter_afterDeletion() {
        story.lock("a:1", 0, 1);
        story.dataLost(5, 6);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 10, 0), 11, Loss.GONE);
        story.lock("b:1", 5, 310);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }
}
