package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A semaphore of two permits, unless a request names another limit. */
final class PermitsHeldTest {
    private static final int LIMIT = 2;

    private final Story story = new Story().by(By.PERMITS);

    private Decision decision() {
        return story.judgedBy(new PermitsHeld(Story.TERMS)).decision();
    }

    private Op granted(String owner, long from, long to, int permits, int number) {
        return granted(owner, from, to, permits, LIMIT, number);
    }

    private Op granted(String owner, long from, long to, int permits, int limit, int number) {
        Op op = story.permits(owner, What.LOCK, from, permits, limit);
        story.numbered(op, to, number);
        story.returns(op, to, Outcome.GRANTED, 0, 1);
        return op;
    }

    private void released(long at, String... owners) {
        for (String owner : owners) {
            story.unlock(owner, at, at + 1);
        }
    }

    @Test
    void held_asManyAsThereAre() {
        granted("a:1", 0, 1, 1, 0);
        granted("b:1", 2, 3, 1, 1);
        released(10, "a:1", "b:1");
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(story.judgedBy(new PermitsHeld(Story.TERMS)).judged()).isEqualTo(2);
    }

    /** The rules about locks do not judge them: other permits are held beside those of each holder, also in the delay of a release. */
    @Test
    void held_byTheOtherRules() {
        story.believed(granted("a:1", 0, 1, 1, 0), 2, 9);
        story.believed(granted("b:1", 2, 3, 1, 1), 3, 9);
        story.refused("c:1", 5, 6);
        story.closeAfter("a:1", 10, 11, 50, Outcome.RELEASED);
        released(20, "b:1");
        granted("c:1", 25, 26, 1, 1);
        story.unlock("c:1", 30, 31);
        assertThat(Checker.all(Story.TERMS))
                .allSatisfy(
                        rule -> assertThat(story.judgedBy(rule).violations()).isEmpty());
    }

    /** Each of the grants may have been before the other. */
    @Test
    void held_tooManyAfterGrantsAtTheSameTime() {
        granted("a:1", 0, 10, 2, 0);
        granted("b:1", 0, 10, 1, 1);
        released(20, "a:1", "b:1");
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The first release may have been executed before the second grant. */
    @Test
    void held_oneAfterTheOther() {
        granted("a:1", 0, 1, 2, 0);
        granted("b:1", 5, 12, 2, 0);
        story.unlock("a:1", 10, 14);
        released(20, "b:1");
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Nothing can be said of permits whose release is not known to have succeeded. */
    @Test
    void held_beyondItsLease() {
        story.believed(granted("a:1", 0, 1, 2, 0), 2, 300);
        granted("b:1", 310, 311, 2, 0);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 400, -1), 401, Loss.EXPIRED);
        released(500, "b:1");
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A lease was given away while its holder found it valid. That its process was stopped for less than a lease is no excuse. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void held_whileAnotherFindsItValid(boolean paused) {
        story.believed(granted("a:1", 0, 1, 2, 0), 2, 300);
        granted("b:1", 200, 201, 1, 1);
        released(210, "b:1");
        if (paused) {
            story.fault(Fault.CLIENT_PAUSED, "a", 100, 180);
        }
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The key was deleted while they were held. */
    @Test
    void held_byOneThatHasLostThem() {
        story.believed(granted("a:1", 0, 1, 2, 0), 2, 300);
        story.keyLost(100, 101);
        granted("b:1", 200, 201, 1, 0);
        released(210, "b:1");
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** The key was deleted before they were granted. */
    @Test
    void held_sinceALoss() {
        story.keyLost(0, 1);
        granted("a:1", 5, 6, 2, 0);
        granted("b:1", 7, 8, 1, 1);
        released(20, "a:1", "b:1");
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The new master may lack the grant, and the client learns that some time after its connection, but not much later. */
    @ParameterizedTest
    @CsvSource({"170, KEPT", "250, VIOLATED"})
    void held_afterAFailover(long believedUntil, Decision decision) {
        story.believed(granted("a:1", 0, 1, 2, 0), 2, believedUntil);
        story.dataPerhapsLost(100, 110);
        granted("b:1", 150, 151, 2, 0);
        released(300, "b:1");
        assertThat(decision()).isEqualTo(decision);
    }

    /** A call that names a smaller limit has to wait for more. */
    @Test
    void granted_beyondItsOwnLimit() {
        granted("a:1", 0, 1, 2, 4, 0);
        granted("b:1", 5, 6, 1, LIMIT, 1);
        released(10, "a:1", "b:1");
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** It is granted first, and the one with the larger limit afterwards. */
    @Test
    void granted_beforeALargerLimit() {
        granted("b:1", 5, 6, 1, LIMIT, 0);
        granted("a:1", 0, 10, 3, 4, 1);
        released(20, "a:1", "b:1");
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Permits are not free before the delay of their release has passed. */
    @ParameterizedTest
    @CsvSource({"60, VIOLATED", "108, KEPT"})
    void granted_afterADelay(long end, Decision decision) {
        granted("a:1", 0, 1, 2, 0);
        story.closeAfter("a:1", 10, 11, 100, Outcome.RELEASED);
        granted("b:1", 50, end, 1, 0);
        released(120, "b:1");
        assertThat(decision()).isEqualTo(decision);
    }

    @Test
    void number_ofTwoHolds() {
        granted("a:1", 0, 1, 1, 0);
        granted("b:1", 2, 3, 1, 0);
        released(10, "a:1", "b:1");
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void number_beyondTheLimit() {
        granted("a:1", 0, 1, 1, LIMIT);
        released(10, "a:1");
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }
}
