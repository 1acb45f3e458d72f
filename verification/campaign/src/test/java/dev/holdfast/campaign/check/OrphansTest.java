package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The grant of an abandoned acquisition is released within 20 ms; at the latest 120 ms after a fault of its client. The
 * holds of a client that was killed or closed stay for a lease of 300 ms and an answer of 50 ms.
 */
final class OrphansTest {
    private final Story story = new Story();

    /** Another owner finds the lock busy although no owner holds it. */
    private Decision refusedAt(long millis) {
        story.refused("b:1", millis, millis + 1);
        return story.judgedBy(new Linearizability(Story.TERMS)).decision();
    }

    /** Right after an abandoned acquisition, "busy" is correct. */
    @ParameterizedTest
    @EnumSource(names = {"INTERRUPTED", "CANCELLED", "FAILED"})
    void calm_atOnce(Outcome outcome) {
        story.call("a:1", What.LOCK, 0, 10, outcome);
        assertThat(refusedAt(30)).isEqualTo(Decision.KEPT);
    }

    /** Later it is wrong, even though the requested lease is much longer. */
    @ParameterizedTest
    @EnumSource(names = {"INTERRUPTED", "CANCELLED", "FAILED"})
    void calm_later(Outcome outcome) {
        story.lease(30_000).call("a:1", What.LOCK, 0, 10, outcome);
        assertThat(refusedAt(31)).isEqualTo(Decision.VIOLATED);
    }

    /** A waiter that gave up after a long wait had the lock at its end, if at all. */
    @Test
    void calm_longBefore() {
        story.call("a:1", What.LOCK, 0, 100, Outcome.INTERRUPTED);
        assertThat(refusedAt(79)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(78)).isEqualTo(Decision.VIOLATED);
    }

    /** A wait that ended at its limit may have had an attempt in flight then. */
    @Test
    void limit_reached() {
        story.waited("a:1", 0, 100, 105);
        assertThat(refusedAt(79)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(125)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(126)).isEqualTo(Decision.VIOLATED);
    }

    /** Its attempt was sent before the limit; a grant earlier than shortly before it would have been delivered. */
    @Test
    void limit_longBefore() {
        story.waited("a:1", 0, 100, 105);
        assertThat(refusedAt(78)).isEqualTo(Decision.VIOLATED);
    }

    /** Redisson waits for the reply to its last attempt. */
    @Test
    void limit_ofAGuest() {
        story.by(By.REDISSON).waited("a:1", 0, 100, 105);
        assertThat(refusedAt(170)).isEqualTo(Decision.VIOLATED);
    }

    /** A client that was hit by a fault releases the grant when it is connected again. */
    @Test
    void hit_untilMended() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        story.fault(Fault.BLACK_HOLED, "a", 5, 400);
        assertThat(refusedAt(520)).isEqualTo(Decision.KEPT);
    }

    /** It does so no later than that. */
    @Test
    void hit_longAfter() {
        story.lease(30_000).call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        story.fault(Fault.BLACK_HOLED, "a", 5, 400);
        assertThat(refusedAt(521)).isEqualTo(Decision.VIOLATED);
    }

    /** A fault right before the call lasts for its client until that is connected again. */
    @Test
    void hit_rightBefore() {
        story.fault(Fault.SERVER_PAUSED, "server", 0, 150);
        story.call("a:1", What.LOCK, 200, 210, Outcome.INTERRUPTED);
        assertThat(refusedAt(270)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(271)).isEqualTo(Decision.VIOLATED);
    }

    /** Another fault may follow before the client has recovered. */
    @Test
    void hit_again() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.FAILED);
        story.fault(Fault.SERVER_PAUSED, "server", 5, 100);
        story.fault(Fault.CUT_RST, "a", 200, 201);
        assertThat(refusedAt(321)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(323)).isEqualTo(Decision.VIOLATED);
    }

    /** A fault of another client does not delay the release. */
    @Test
    void anotherIsHit() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        story.fault(Fault.BLACK_HOLED, "c", 5, 400);
        assertThat(refusedAt(31)).isEqualTo(Decision.VIOLATED);
    }

    /** The grant of a killed process stays until its lease ends. */
    @Test
    void killed_untilItsLeaseEnds() {
        story.calls("a:1", What.LOCK, 0, -1);
        story.fault(Fault.CLIENT_KILLED, "a", 10, 11);
        assertThat(refusedAt(360)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(361)).isEqualTo(Decision.VIOLATED);
    }

    /** So does the grant of a caller that gave up right before, since its process cannot release it. */
    @Test
    void killed_rightAfter() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        story.fault(Fault.CLIENT_KILLED, "a", 20, 21);
        assertThat(refusedAt(370)).isEqualTo(Decision.KEPT);
    }

    /** A stopped server executes what a killed process has sent when it is resumed; the lease begins then. */
    @Test
    void killed_whileTheServerIsStopped() {
        story.calls("a:1", What.LOCK, 0, -1);
        story.fault(Fault.SERVER_PAUSED, "server", 5, 200);
        story.fault(Fault.CLIENT_KILLED, "a", 10, 11);
        assertThat(refusedAt(550)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(551)).isEqualTo(Decision.VIOLATED);
    }

    /** The holds of a client that is being closed stay until their leases end. */
    @Test
    void closed_untilItsLeaseEnds() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.CLOSED);
        story.closing("a", 5);
        assertThat(refusedAt(355)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(356)).isEqualTo(Decision.VIOLATED);
    }

    /** The same goes for an abandoned acquisition of another library. */
    @Test
    void guest_untilItsLeaseEnds() {
        story.by(By.REDISSON).call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        assertThat(refusedAt(380)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(381)).isEqualTo(Decision.VIOLATED);
    }

    /** A call that has not returned may have the lock at any time. */
    @Test
    void underWay() {
        Op waiting = story.calls("a:1", What.LOCK, 0, -1);
        assertThat(refusedAt(1_000)).isEqualTo(Decision.KEPT);
        story.returns(waiting, 2_000, Outcome.GRANTED, 0, 1);
        assertThat(refusedAt(1_500)).isEqualTo(Decision.KEPT);
    }

    /** A waiter whose grant got lost has the lock for the lease of that, does not know, and is granted it again. */
    @ParameterizedTest
    @CsvSource({
        "MESSAGES_LOST, a, 60, KEPT",
        "MESSAGES_LOST, a, 150, KEPT",
        "MESSAGES_LOST, a, 151, VIOLATED",
        "MESSAGES_LOST, c, 60, VIOLATED",
        "CLIENT_PAUSED, a, 60, KEPT",
        "CLIENT_PAUSED, a, 151, VIOLATED",
        "CUT_RST, a, 60, VIOLATED"
    })
    void lostGrant(Fault losing, String client, long refused, Decision expected) {
        story.fault(losing, client, 20, 100);
        story.lock("b:2", 200, 201);
        story.unlock("b:2", 202, 203);
        story.lease(50).lock("a:1", 10, 210);
        story.unlock("a:1", 211, 212);
        assertThat(refusedAt(refused)).isEqualTo(expected);
    }
}
