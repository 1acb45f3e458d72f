package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A waiter that is passed over by ten turns in more than 40 ms has slept. */
final class PassedOverTest {
    private static final int STEP = 25;

    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new WakeUps(Story.TERMS)).decision();
    }

    private void taken(int times) {
        taken(times, 10);
    }

    /** Another client acquires the lock this many times, each time for a turn. */
    private void taken(int times, int from) {
        for (int i = 0; i < times; i++) {
            story.lock("a:1", from + STEP * i, from + 1 + STEP * i);
            story.unlock("a:1", from + 2 + STEP * i, from + 3 + STEP * i);
        }
    }

    /** Ten turns are a violation. */
    @Test
    void passedOver() {
        story.lock("b:1", 5, 262);
        taken(10);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Permits have an order of their own, which {@link PermitsInTurn} judges. */
    @Test
    void passedOver_atASemaphore() {
        story.by(By.PERMITS).lock("b:1", 5, 262);
        taken(10);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Nine turns are not. */
    @Test
    void passedOver_lessOften() {
        story.lock("b:1", 5, 237);
        taken(9);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Clients that join no line lose ten races by chance now and then, and sixty never. */
    @ParameterizedTest
    @CsvSource({"59, KEPT", "60, VIOLATED"})
    void passedOver_withoutALine(int times, Decision expected) {
        story.lock("b:1", 5, 12 + STEP * times);
        taken(times);
        assertThat(story.judgedBy(new WakeUps(Story.UNLINED)).decision()).isEqualTo(expected);
    }

    /** Many clients may have two turns each before it. */
    @Test
    void passedOver_byACrowd() {
        story.lock("b:1", 5, 262);
        crowd(24);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** But not more. */
    @Test
    void passedOver_byACrowdAgain() {
        story.lock("b:1", 5, 262);
        crowd(25);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Twelve clients acquire the lock in turn, this many times in all. */
    private void crowd(int times) {
        for (int i = 0; i < times; i++) {
            String owner = "crowd-" + i % 12 + ":1";
            story.lock(owner, 10 + 10 * i, 11 + 10 * i);
            story.unlock(owner, 12 + 10 * i, 13 + 10 * i);
        }
    }

    /** Any number of turns within a short time are not. */
    @Test
    void passedOver_forShort() {
        story.lock("b:1", 5, 45);
        for (int i = 0; i < 15; i++) {
            String owner = i % 2 == 0 ? "a:1" : "c:1";
            story.lock(owner, 10 + 2 * i, 11 + 2 * i);
            story.unlock(owner, 11 + 2 * i, 12 + 2 * i);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Nor are they if the last one is long: during a hold nobody is passed over. */
    @Test
    void passedOver_forShort_thenByALongHold() {
        story.lock("b:1", 5, 262);
        for (int i = 0; i < 15; i++) {
            String owner = i % 2 == 0 ? "a:1" : "c:1";
            story.lock(owner, 10 + 2 * i, 11 + 2 * i);
            story.unlock(owner, i == 14 ? 260 : 11 + 2 * i, i == 14 ? 261 : 12 + 2 * i);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A waiter is not passed over by callers that requested the lock before it. */
    @Test
    void passedOver_byThoseBefore() {
        for (int i = 0; i < 12; i++) {
            story.lock("a:" + i, 1, 10 + STEP * i);
            story.unlock("a:" + i, 11 + STEP * i, 12 + STEP * i);
        }
        story.lock("b:1", 5, 312);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A client receives release messages if the owners that are ahead of the waiter acquire the lock. */
    @Test
    void passedOver_whileItsClientHasTheLock() {
        story.lock("b:1", 5, 264);
        taken(5);
        story.lock("b:2", 4, 136);
        story.unlock("b:2", 136, 137);
        taken(5, 138);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A client that was cut off receives no messages until it is connected again. */
    @Test
    void passedOver_whileBroken() {
        story.lock("b:1", 5, 262);
        taken(10);
        story.fault(Fault.BLACK_HOLED, "b", 1, 150);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A fault of another client excuses nothing. */
    @Test
    void passedOver_whileAnotherIsBroken() {
        story.lock("b:1", 5, 262);
        taken(10);
        story.fault(Fault.BLACK_HOLED, "c", 1, 150);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A client that is stopped may have been granted the lock: it expires, and the line with it. */
    @ParameterizedTest
    @EnumSource(names = {"CLIENT_KILLED", "CLIENT_PAUSED", "MESSAGES_LOST"})
    void passedOver_whileAnotherLosesAGrant(Fault fault) {
        story.lock("b:1", 5, 262);
        taken(10);
        story.fault(fault, "c", 1, 130);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Afterwards that excuses nothing. */
    @Test
    void passedOver_afterAnotherHasLostAGrant() {
        story.fault(Fault.CLIENT_PAUSED, "c", 1, 2);
        story.lock("b:1", 80, 342);
        taken(10, 90);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** No waiter is notified of a deleted key. */
    @Test
    void passedOver_afterDeletion() {
        story.keyLost(1, 2);
        story.lock("b:1", 5, 262);
        taken(10);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Owners of the same client that want the other kind of lock of the name, and called later, are behind it. */
    @Test
    void passedOver_byTheOtherKindOfItsClient() {
        story.fenced(true).lock("a:2", 5, 262);
        story.fenced(false);
        taken(10);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Owners of the other kind that called before it are ahead of it. */
    @Test
    void passedOver_whileTheOtherKindIsAhead() {
        story.fenced(true).lock("b:2", 5, 264);
        taken(5);
        story.fenced(false).lock("b:1", 4, 136);
        story.unlock("b:1", 136, 137);
        taken(5, 138);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Owners of the same client that called later are behind it in the queue. */
    @Test
    void passedOver_byItsOwnClient() {
        story.lock("a:2", 5, 262);
        taken(10);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Handoffs within one turn count once. */
    @Test
    void passedOver_withinOneTurn() {
        story.lock("b:1", 5, 100);
        for (int i = 0; i < 12; i++) {
            story.lock("a:" + i, 6, 10 + i);
            story.unlock("a:" + i, 10 + i, 11 + i);
        }
        story.lock("a:12", 6, 22);
        story.unlock("a:12", 98, 99);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A single long hold passes over no waiter. */
    @Test
    void waits_forOne() {
        story.lock("a:1", 4, 10);
        story.lock("b:1", 5, 200);
        story.unlock("a:1", 199, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A client of another library does not back off, so its turns do not count. */
    @Test
    void passedOver_byGuest() {
        story.lock("b:1", 5, 262);
        story.by(By.REDISSON);
        taken(10);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Nor do calls that do not wait. */
    @Test
    void passedOver_byPoller() {
        story.lock("b:1", 5, 262);
        for (int i = 0; i < 10; i++) {
            story.call("a:1", What.TRY, 10 + STEP * i, 11 + STEP * i, Outcome.GRANTED);
            story.unlock("a:1", 12 + STEP * i, 13 + STEP * i);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Waiters of another library are not judged. */
    @Test
    void guest_isPassedOver() {
        story.by(By.REDISSON).lock("b:1", 5, 262);
        story.by(By.BLOCKING);
        taken(10);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }
}
