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

/** A waiter that is overtaken six times by one client, in more than 20 ms, has lost its place. */
final class OvertakingTest {
    private static final int STEP = 5;
    private static final int FIRST = 10;

    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new Overtaking(Story.TERMS)).decision();
    }

    /** Clients a and c have this many turns each, one after the other, and client b shows a sign of life between. */
    private void turns(int count) {
        for (int i = 0; i < count; i++) {
            turnsAt(FIRST + 2 * STEP * i);
            story.refused("b:2", FIRST + 2 * STEP * i + 8, FIRST + 2 * STEP * i + 9);
        }
    }

    private void turnsAt(int at) {
        story.lock("a:1", at, at + 1);
        story.unlock("a:1", at + 2, at + 3);
        story.lock("c:1", at + STEP, at + STEP + 1);
        story.unlock("c:1", at + STEP + 1, at + STEP + 2);
    }

    private void waiter() {
        story.lock("b:1", 5, 200);
    }

    /** Six turns of one client are a violation. */
    @Test
    void overtaken() {
        waiter();
        turns(6);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** {@link PermitsInTurn} judges those of permits. */
    @Test
    void overtaken_atASemaphore() {
        story.by(By.PERMITS);
        waiter();
        turns(6);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Five turns of each client are not, though they are ten. */
    @Test
    void overtaken_lessOften() {
        waiter();
        turns(5);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Where clients join no line, thirty-six are. */
    @ParameterizedTest
    @CsvSource({"35, KEPT", "36, VIOLATED"})
    void overtaken_withoutALine(int times, Decision expected) {
        story.lock("b:1", 5, 500);
        turns(times);
        assertThat(story.judgedBy(new Overtaking(Story.UNLINED)).decision()).isEqualTo(expected);
    }

    /** Nor are the turns of many clients, one of each. */
    @Test
    void overtaken_byManyOnce() {
        waiter();
        for (int i = 0; i < 20; i++) {
            story.lock("a" + i + ":1", FIRST + STEP * i, FIRST + STEP * i + 1);
            story.unlock("a" + i + ":1", FIRST + STEP * i + 2, FIRST + STEP * i + 3);
            story.refused("b:2", FIRST + STEP * i + 3, FIRST + STEP * i + 4);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A waiter needs a moment to join the line. */
    @Test
    void overtaken_forAMoment() {
        story.lock("b:1", 5, 20);
        for (int i = 0; i < 7; i++) {
            story.lock(i % 2 == 0 ? "a:1" : "c:1", 5 + 2 * i, 6 + 2 * i);
            story.unlock(i % 2 == 0 ? "a:1" : "c:1", 6 + 2 * i, 7 + 2 * i);
            story.refused("b:2", 6 + 2 * i, 7 + 2 * i);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A process that shows no sign of life may not run. */
    @Test
    void overtaken_withoutASignOfLife() {
        waiter();
        for (int i = 0; i < 12; i++) {
            turnsAt(FIRST + 2 * STEP * i);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** The turns of a client that requested the lock before the waiter are not counted. */
    @Test
    void overtaken_byRequestsBefore() {
        for (int i = 0; i < 12; i++) {
            story.lock("a:" + i, 1, FIRST + 25 * i);
            story.unlock("a:" + i, FIRST + 25 * i + 1, FIRST + 25 * i + 2);
            story.refused("b:2", FIRST + 25 * i + 3, FIRST + 25 * i + 4);
        }
        story.lock("b:1", 5, 320);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** What is handed off within one turn counts once. */
    @Test
    void overtaken_withinOneTurn() {
        waiter();
        for (int i = 0; i < 12; i++) {
            story.lock("a:" + i, 100 + i, 101 + i);
            story.unlock("a:" + i, 101 + i, 102 + i);
            story.refused("b:2", 101 + i, 102 + i);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** While a client of another library waits, the line is renewed all the time. */
    @Test
    void overtaken_besideAGuest() {
        waiter();
        turns(6);
        story.by(By.REDISSON).lock("d:1", 6, 70);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A call that does not wait stands in no line. */
    @Test
    void overtaken_byPoller() {
        waiter();
        for (int i = 0; i < 10; i++) {
            story.call("a:1", What.TRY, FIRST + 25 * i, FIRST + 25 * i + 1, Outcome.GRANTED);
            story.unlock("a:1", FIRST + 25 * i + 2, FIRST + 25 * i + 3);
            story.refused("b:2", FIRST + 25 * i + 3, FIRST + 25 * i + 4);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A fault of any client can end the line: with it, and until the lock was granted anew. */
    @Test
    void overtaken_whileAnotherIsBroken() {
        waiter();
        turns(6);
        story.fault(Fault.CLIENT_PAUSED, "d", 1, 15);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** After that, it is no excuse. */
    @Test
    void overtaken_afterAnotherWasBroken() {
        story.fault(Fault.CLIENT_PAUSED, "d", 1, 2);
        story.lock("b:1", 60, 300);
        for (int i = 0; i < 6; i++) {
            turnsAt(80 + 2 * STEP * i);
            story.refused("b:2", 80 + 2 * STEP * i + 8, 80 + 2 * STEP * i + 9);
        }
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A client that was cut off is excused until it is connected again. */
    @Test
    void overtaken_afterItWasBroken() {
        story.fault(Fault.BLACK_HOLED, "b", 1, 2);
        story.lock("b:1", 60, 300);
        for (int i = 0; i < 6; i++) {
            turnsAt(80 + STEP * i);
            story.refused("b:2", 80 + STEP * i + 3, 80 + STEP * i + 4);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** No waiter is notified of a deleted key. */
    @Test
    void overtaken_afterDeletion() {
        story.keyLost(1, 2);
        waiter();
        turns(6);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** An owner of the same client that called before it is ahead of it in the queue. */
    @Test
    void overtaken_whileItsClientHasTheLock() {
        waiter();
        turns(6);
        story.lock("b:3", 4, 40);
        story.unlock("b:3", 41, 42);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** At a fair lock, one turn that was requested later is a violation, of whichever client. */
    @ParameterizedTest
    @CsvSource({"a:1, 40, VIOLATED", "b:3, 40, VIOLATED", "a:1, 20, KEPT"})
    void fairLock_isOvertakenOnce(String by, int requested, Decision expected) {
        waiter();
        story.refused("b:2", 10, 11);
        story.lock(by, requested, 60);
        story.unlock(by, 61, 62);
        assertThat(story.judgedBy(new Overtaking(Story.FAIR)).decision()).isEqualTo(expected);
    }

    /** The owners that have called before are served before, also those of the same client. */
    @Test
    void fairLock_inOrder() {
        story.lock("b:3", 1, 20);
        story.unlock("b:3", 50, 51);
        story.lock("a:1", 3, 52);
        story.unlock("a:1", 90, 91);
        story.lock("b:1", 5, 92);
        story.refused("b:2", 40, 41);
        assertThat(story.judgedBy(new Overtaking(Story.FAIR)).decision()).isEqualTo(Decision.KEPT);
    }

    /** What other owners of the client do first is no excuse for those behind it. */
    @Test
    void fairLock_isOvertakenBehindItsClient() {
        story.lock("b:3", 1, 20);
        story.unlock("b:3", 80, 81);
        story.lock("b:1", 5, 200);
        story.lock("a:1", 40, 82);
        story.unlock("a:1", 83, 84);
        assertThat(story.judgedBy(new Overtaking(Story.FAIR)).decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A fault of any client can end the line of a fair lock, too. */
    @Test
    void fairLock_isOvertakenWhileAnotherIsBroken() {
        waiter();
        story.refused("b:2", 10, 11);
        story.lock("a:1", 40, 60);
        story.unlock("a:1", 61, 62);
        story.fault(Fault.CLIENT_PAUSED, "d", 1, 15);
        assertThat(story.judgedBy(new Overtaking(Story.FAIR)).decision()).isEqualTo(Decision.KEPT);
    }

    /** Waiters of another library are not judged. */
    @Test
    void guest_isOvertaken() {
        story.by(By.REDISSON).lock("b:1", 5, 200);
        story.by(By.BLOCKING);
        turns(6);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }
}
