package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** A lock that is free at 11 is to be acquired by 31; its grant may be in flight for 20 ms more. */
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

    /** A waiter that acquires a released lock at once was woken. */
    @Test
    void waiter_wakes() {
        released();
        story.lock("b:1", 5, 51);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().judged()).isEqualTo(2);
    }

    /** A waiter that acquires it later has slept. */
    @Test
    void waiter_sleeps() {
        released();
        story.lock("b:1", 5, 52);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** So has one that never acquires it. */
    @Test
    void waiter_sleepsForEver() {
        released();
        story.calls("b:1", What.LOCK, 5, -1);
        story.inspected("server", 32);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** An unawaited release takes effect soon after the call has returned. */
    @Test
    void waiter_afterUnawaitedRelease() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 10, 11, Outcome.SENT);
        story.lock("b:1", 5, 71);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A waiter that acquires the lock later has slept. */
    @Test
    void waiter_sleepsAfterUnawaitedRelease() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 10, 11, Outcome.SENT);
        story.lock("b:1", 5, 72);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A waiter whose wait ends beside the free lock has slept. */
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

    /** A caller that does not wait, or began later, does not sleep. */
    @Test
    void noWaiter() {
        released();
        story.refused("b:1", 5, 200);
        story.lock("c:1", 180, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A wait during another owner's hold is not beside a free lock. */
    @Test
    void waiter_whileHeld() {
        released();
        story.lock("b:1", 12, 20);
        story.unlock("b:1", 400, 401);
        story.lock("c:1", 5, 402);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /**
     * The end of a delayed close notifies nobody, and the client that was to attempt then may have left the line. The
     * others attempt after a command timeout for each place, here for those of three clients.
     */
    @Test
    void waiter_afterLongDelayedClose() {
        closedAfter(301);
        story.refused("c:1", 12, 13);
        story.lock("b:1", 15, 1252);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** It does not last longer. */
    @Test
    void waiter_sleepsAfterLongDelayedClose() {
        closedAfter(301);
        story.refused("c:1", 12, 13);
        story.lock("b:1", 15, 1253);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Within a short delay the client does not leave, and where there is no line all attempt. */
    @Test
    void waiter_sleepsAfterDelayedClose() {
        closedAfter(300);
        story.lock("b:1", 15, 352);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void waiter_sleepsAfterDelayedClose_noLine() {
        closedAfter(301);
        story.lock("b:1", 15, 353);
        assertThat(story.judgedBy(new WakeUps(Story.UNLINED)).decision()).isEqualTo(Decision.VIOLATED);
    }

    private void closedAfter(long delay) {
        story.lock("a:1", 0, 1);
        story.closeAfter("a:1", 10, 11, delay, Outcome.RELEASED);
    }

    /** The hold of a killed process lasts for a lease longer. */
    @Test
    void waiter_whileDeadHolderHasTheLock() {
        story.lock("a:1", 0, 1);
        story.fault(Fault.CLIENT_KILLED, "a", 10, 11);
        story.lock("b:1", 5, 671);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** It does not last for two leases. */
    @Test
    void waiter_longAfterDeadHolder() {
        story.lock("a:1", 0, 1);
        story.fault(Fault.CLIENT_KILLED, "a", 10, 11);
        story.lock("b:1", 5, 800);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** An acquisition whose process is killed during it may have the lock for a lease. */
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

    /** An interrupted acquisition accounts for a moment only, 4 ms, of the time in which the lock is free. */
    @Test
    void waiter_besideInterruptedOne() {
        released();
        story.call("c:1", What.LOCK, 5, 30, Outcome.INTERRUPTED);
        story.lock("b:1", 5, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** However many acquisitions are abandoned, a lock that is free for long is detected. */
    @Test
    void waiter_besideManyInterruptedOnes() {
        released();
        for (int i = 1; i < 5; i++) {
            story.call("c:" + i, What.LOCK, 5, 10 * i + 10, Outcome.CANCELLED);
        }
        story.lock("b:1", 5, 68);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /**
     * A client that was hit by a fault releases an abandoned grant when it is connected again, 120 ms after the fault.
     */
    @Test
    void waiter_besideInterruptedOneOfHitClient() {
        released();
        story.fault(Fault.BLACK_HOLED, "c", 20, 25);
        story.call("c:1", What.LOCK, 5, 30, Outcome.INTERRUPTED);
        story.lock("b:1", 5, 205);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** It does so no later than that. */
    @Test
    void waiter_longAfterInterruptedOneOfHitClient() {
        released();
        story.fault(Fault.BLACK_HOLED, "c", 20, 25);
        story.call("c:1", What.LOCK, 5, 30, Outcome.INTERRUPTED);
        story.lock("b:1", 5, 206);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A release without a reply may be in progress for a lease. */
    @Test
    void waiter_afterFailedRelease() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 10, 60, Outcome.FAILED);
        story.lock("b:1", 5, 400);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** During a fault, no message is received. */
    @Test
    void waiter_whileBroken() {
        released();
        story.fault(Fault.BLACK_HOLED, "b", 12, 300);
        story.lock("b:1", 5, 340);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Soon after it, the waiter must be woken. */
    @Test
    void waiter_afterTheFault() {
        released();
        story.fault(Fault.BLACK_HOLED, "b", 12, 300);
        story.lock("b:1", 5, 370);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** No waiter is notified of a deleted key: it waits for the end of the lease. */
    @Test
    void waiter_afterDeletion() {
        story.lock("a:1", 0, 1);
        story.dataLost(5, 6);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 10, 0), 11, Loss.GONE);
        story.lock("b:1", 5, 310);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }
}
