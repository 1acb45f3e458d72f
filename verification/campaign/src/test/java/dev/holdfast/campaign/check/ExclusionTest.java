package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

final class ExclusionTest {
    private final Story story = new Story();

    private void heldByTwo(long secondFrom) {
        story.believed(story.lock("a:1", 0, 1), 1, 100);
        story.believed(story.lock("b:1", 2, 3), secondFrom, 200);
    }

    private Verdict verdict() {
        return story.judgedBy(new Exclusion(Story.TERMS));
    }

    private Decision decision() {
        return verdict().decision();
    }

    /** Two overlapping beliefs of different owners are reported, with both owners. */
    @Test
    void beliefs_overlap() {
        heldByTwo(99);
        assertThat(verdict().violations()).singleElement().satisfies(found -> assertThat(found.toString())
                .contains("a:1", "b:1", "1000000 ns"));
    }

    /** Beliefs that touch do not overlap. */
    @Test
    void beliefs_touch() {
        heldByTwo(100);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().judged()).isEqualTo(2);
    }

    /** An overlap with a belief that is not the previous one is found. */
    @Test
    void beliefs_nested() {
        Op outer = story.lock("a:1", 0, 1);
        story.believed(outer, 1, 100);
        story.believed(outer, 10, 20);
        story.believed(story.lock("b:1", 30, 31), 50, 60);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** One owner may consider two of its acquisitions valid at once. */
    @Test
    void beliefs_ofOneOwner() {
        story.believed(story.lock("a:1", 0, 1), 1, 100);
        story.believed(story.grant("a:1", 50, 51, 0, 2), 51, 100);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    private void readAndHeld(String second) {
        story.believed(story.lock("a:1" + Operation.READS, 0, 1), 1, 100);
        story.believed(story.lock(second, 2, 3), 99, 200);
    }

    /** Those that read share a lock. */
    @Test
    void beliefs_ofReaders() {
        readAndHeld("b:1" + Operation.READS);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().judged()).isEqualTo(2);
    }

    /** A writer excludes them. */
    @Test
    void beliefs_ofReaderAndWriter() {
        readAndHeld("b:1");
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A reader may join those of its client whose lock was lost, until they detect it. */
    @Test
    void keyLost_joinedByReader() {
        String reads = Operation.READS;
        story.believed(story.lock("a:1" + reads, 0, 1), 1, 100);
        story.keyLost(50, 55);
        story.believed(story.lock("a:2" + reads, 70, 71), 71, 100);
        story.believed(story.lock("b:1", 60, 61), 61, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** One of another client joins nobody. */
    @Test
    void keyLost_readerOfAnotherClient() {
        String reads = Operation.READS;
        story.believed(story.lock("a:1" + reads, 0, 1), 1, 100);
        story.keyLost(50, 55);
        story.believed(story.lock("c:2" + reads, 70, 71), 71, 100);
        story.believed(story.lock("b:1", 60, 61), 61, 200);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A single check is no interval. */
    @Test
    void beliefs_ofOneCheck() {
        story.believed(story.lock("a:1", 0, 1), 1, 100);
        story.believed(story.lock("b:1", 2, 3), 51, 50);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** After the deletion of its key, the old holder may be valid until its next renewal. */
    @Test
    void keyLost_untilNoticed() {
        heldByTwo(60);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().excused()).isEqualTo(1);
    }

    /** A third of the lease and a round trip suffice to detect it: 150 ms. */
    @Test
    void keyLost_notNoticed() {
        story.believed(story.lock("a:1", 0, 1), 1, 206);
        story.believed(story.lock("b:1", 60, 61), 61, 300);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A third of the lease and a round trip are excused. */
    @Test
    void keyLost_noticedAtTheLastMoment() {
        story.believed(story.lock("a:1", 0, 1), 1, 205);
        story.believed(story.lock("b:1", 60, 61), 61, 300);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A lease that is not renewed may be valid until its end, since no command checks it before. */
    @Test
    void keyLost_explicitLease() {
        story.lease(500);
        story.believed(story.lock("a:1", 0, 1), 1, 490);
        story.lease(0);
        story.believed(story.lock("b:1", 60, 61), 61, 600);
        story.keyLost(50, 55);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A loss before either had the lock excuses nothing, and neither does one after the begin of the overlap. */
    @Test
    void dataLost_atAnotherTime() {
        story.dataLost(1, 2);
        story.believed(story.lock("a:1", 10, 60), 60, 100);
        story.believed(story.lock("b:1", 10, 61), 61, 100);
        story.dataLost(62, 63);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** No other fault excuses anything. */
    @Test
    void otherFaults() {
        heldByTwo(60);
        story.fault(Fault.SERVER_PAUSED, "server", 10, 50);
        story.fault(Fault.CLIENT_PAUSED, "a", 10, 50);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** An owner that received a lost lock by a handoff may be valid until the reply. */
    @Test
    void handedOn_untilAnswered() {
        handedOn(150);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** And no longer: it does not have a third of a lease. */
    @Test
    void handedOn_forLonger() {
        handedOn(151);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** If the connection may have ended, it may be valid for as long as the owner before it. */
    @Test
    void handedOn_withoutAnswer() {
        handedOn(300);
        story.fault(Fault.CUT_RST, "a", 110, 120);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Another client does not receive a lock by a handoff. */
    @Test
    void handedOn_toAnotherClient() {
        story.lock("a:1", 0, 1);
        story.dataLost(50, 55);
        story.believed(story.lock("b:1", 60, 61), 61, 400);
        story.call("a:1", What.UNLOCK, 100, 130, Outcome.LOST);
        story.believed(story.lock("c:2", 80, 101), 101, 150);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A lock is lost, b acquires it, and a:1 hands off to a:2 what it no longer has. */
    private void handedOn(long believedUntil) {
        story.lock("a:1", 0, 1);
        story.dataLost(50, 55);
        story.believed(story.lock("b:1", 60, 61), 61, 400);
        story.call("a:1", What.UNLOCK, 100, 130, Outcome.LOST);
        story.believed(story.lock("a:2", 80, 101), 101, believedUntil);
    }
}
