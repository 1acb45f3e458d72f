package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client needs 120 ms to recover, and a call outlasts 40 ms without Redis. */
final class FailuresTest {
    private final Story story = new Story();

    @BeforeEach
    void othersAreAnswered() {
        for (long at = 0; at < 200; at += 5) {
            story.refused("a:other", at, at + 1);
        }
    }

    private Decision decision() {
        return story.judgedBy(new Failures(Story.TERMS)).decision();
    }

    private void failed(What what, long from, long wait, long to) {
        failed("a:" + to, what, from, wait, to);
    }

    private void failed(String owner, What what, long from, long wait, long to) {
        Op op = story.calls(owner, what, from, wait);
        story.returns(op, to, Outcome.FAILED, 0, 0);
    }

    /** Redis is not there. */
    @Test
    void failed_inAFault() {
        story.fault(Fault.SERVER_PAUSED, "server", 0, 100);
        failed(What.TRY, 50, 0, 60);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Redis has been there again for long: the lock was busy, and the call had to return that. */
    @Test
    void failed_longAfterIt() {
        story.by(By.MULTI);
        story.fault(Fault.SERVER_PAUSED, "server", 0, 30);
        failed(What.TRY_WAIT, 10, 140, 150);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        failed(What.TRY_WAIT, 10, 150, 160);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The machine did not let the process run while its short lease ended. */
    @Test
    void failed_sinceTheGrantHasRunOut() {
        story.lease(60);
        failed(What.LOCK, 10, -1, 45);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
        story.stoodStill("a", 10, 44);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Half of a longer lease was left. */
    @Test
    void failed_beforeTheGrantHasRunOut() {
        story.lease(100);
        failed(What.LOCK, 10, -1, 45);
        story.stoodStill("a", 10, 44);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** No other call of the process was answered either: the machine is busy. */
    @Test
    void failed_noneIsAnswered() {
        failed(What.TRY, 500, 0, 550);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** The fault is one of another client. */
    @Test
    void failed_faultOfAnother() {
        story.fault(Fault.BLACK_HOLED, "b", 0, 100);
        failed(What.LOCK, 50, -1, 95);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A call that waits does not fail at the first silence. */
    @Test
    void failed_tooSoon() {
        story.fault(Fault.BLACK_HOLED, "a", 50, 500);
        failed(What.LOCK, 51, -1, 91);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        failed(What.LOCK, 51, -1, 81);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** It fails when its own wait ends. */
    @Test
    void failed_atItsLimit() {
        story.fault(Fault.BLACK_HOLED, "a", 50, 500);
        failed(What.TRY_WAIT, 51, 20, 71);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A machine that is busy may reply later than so short a wait ends. */
    @Test
    void failed_shortWait() {
        failed(What.TRY_WAIT, 0, 19, 20);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        failed(What.TRY_WAIT, 0, 20, 21);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Too few replicas are a reason to fail at once. */
    @Test
    void failed_replicated() {
        Terms replicated = Story.terms(Duration.ZERO, true, Set.of());
        failed(What.LOCK, 50, -1, 95);
        assertThat(story.judgedBy(new Failures(replicated)).decision()).isEqualTo(Decision.KEPT);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A user that has lost its right to the key is refused at once. */
    @Test
    void failed_forbidden() {
        story.fault(Fault.KEY_FORBIDDEN, "a", 0, 100);
        failed(What.LOCK, 50, -1, 51);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A user that may acquire no lock is refused at once. */
    @Test
    void failed_mayAcquireNone() {
        Terms terms = Story.terms(Story.TERMS.outlasts(), true, Set.of("a"));
        failed(What.LOCK, 50, -1, 51);
        assertThat(story.judgedBy(new Failures(terms)).decision()).isEqualTo(Decision.KEPT);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A call for several locks fails once. */
    @Test
    void failed_several() {
        story.by(By.MULTI);
        failed("a:multi-1", What.LOCK, 0, -1, 9);
        failed("a:multi-1", What.LOCK, 0, -1, 9);
        assertThat(story.judgedBy(new Failures(Story.TERMS)).violations()).hasSize(1);
    }
}
