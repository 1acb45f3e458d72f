package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** One client waits for all four permits, from 0 to 200 ms; another one is granted some meanwhile. What is prompt takes 20 ms. */
final class PermitsInTurnTest {
    private static final int LIMIT = 4;

    private final Story story = new Story().by(By.PERMITS);

    private Decision decision() {
        return story.judgedBy(new PermitsInTurn(Story.TERMS)).decision();
    }

    private Op waited(String owner, What what, long from, long to, int permits, Outcome outcome) {
        Op op = story.permits(owner, what, from, permits, LIMIT);
        story.returns(op, to, outcome, 0, 1);
        return op;
    }

    private void waitsForAll() {
        waited("w:1", What.LOCK, 0, 200, LIMIT, Outcome.GRANTED);
    }

    private void passes() {
        granted("a:1", 30, 40);
        granted("a:2", 50, 60);
        granted("a:3", 70, 80);
    }

    private void granted(String owner, long from, long to) {
        waited(owner, What.LOCK, from, to, 1, Outcome.GRANTED);
        story.unlock(owner, to + 1, to + 2);
    }

    @Test
    void passed_againAndAgain() {
        waitsForAll();
        passes();
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** One that does not wait gets nothing while a client is in line. */
    @Test
    void passed_byOneThatTries() {
        waitsForAll();
        granted("a:1", 22, 25);
        granted("a:3", 30, 40);
        waited("a:2", What.TRY, 50, 51, 1, Outcome.GRANTED);
        story.unlock("a:2", 60, 61);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A place in line is kept for the next caller of the same client. */
    @Test
    void passed_onceOrTwice() {
        waitsForAll();
        granted("a:1", 30, 40);
        granted("a:2", 50, 60);
        granted("b:1", 70, 80);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(story.judgedBy(new PermitsInTurn(Story.TERMS)).judged()).isEqualTo(4);
    }

    /** Those that requested before it had a place in line. */
    @Test
    void passed_byOlderRequests() {
        waitsForAll();
        granted("a:1", 5, 40);
        granted("a:2", 8, 60);
        granted("a:3", 9, 80);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Its client has one place, which is that of another caller at first. */
    @Test
    void passed_whileItsClientWaitsForAnother() {
        waitsForAll();
        waited("w:2", What.LOCK, 1, 100, 1, Outcome.GRANTED);
        passes();
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    @Test
    void passed_byItsOwnClient() {
        waitsForAll();
        granted("w:2", 30, 40);
        granted("w:3", 50, 60);
        granted("w:4", 70, 80);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Who waits in vain is not to be passed either. */
    @Test
    void passed_untilItGivesUp() {
        waited("w:1", What.LOCK, 0, 200, LIMIT, Outcome.INTERRUPTED);
        passes();
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Its client may have lost its place. */
    @Test
    void passed_afterAFault() {
        waitsForAll();
        passes();
        story.fault(Fault.CUT_RST, "w", 25, 25);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    @Test
    void passed_afterAFaultOfAnother() {
        waitsForAll();
        passes();
        story.fault(Fault.CLIENT_KILLED, "b", 25, 25);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The line was lost, too. */
    @Test
    void passed_afterALoss() {
        story.permits("w:1", What.LOCK, 0, LIMIT, LIMIT);
        story.keyLost(25, 26);
        granted("a:1", 424, 427);
        granted("a:2", 430, 435);
        granted("a:3", 436, 440);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    @Test
    void passed_whereNoLineIsFormed() {
        waitsForAll();
        passes();
        assertThat(story.judgedBy(new PermitsInTurn(Story.UNLINED)).decision()).isEqualTo(Decision.KEPT);
    }
}
