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
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What an acquisition that was given up took is given back within 20 ms; 120 ms after a fault of its client at the latest. What
 * a client leaves behind stays for a lease of 300 ms and an answer of 50.
 */
final class OrphansTest {
    private final Story story = new Story();

    /** Somebody finds a lock busy that nobody has. */
    private Decision refusedAt(long millis) {
        story.refused("b:1", millis, millis + 1);
        return story.judgedBy(new Linearizability(Story.TERMS)).decision();
    }

    /** For a moment, "busy" is true beside one that was given up. */
    @ParameterizedTest
    @EnumSource(names = {"INTERRUPTED", "CANCELLED", "FAILED"})
    void calm_atOnce(Outcome outcome) {
        story.call("a:1", What.LOCK, 0, 10, outcome);
        assertThat(refusedAt(30)).isEqualTo(Decision.KEPT);
    }

    /** Later it is a lie, although the lease that was asked for has not ended by far. */
    @ParameterizedTest
    @EnumSource(names = {"INTERRUPTED", "CANCELLED", "FAILED"})
    void calm_later(Outcome outcome) {
        story.lease(30_000).call("a:1", What.LOCK, 0, 10, outcome);
        assertThat(refusedAt(31)).isEqualTo(Decision.VIOLATED);
    }

    /** Who waited for long had the lock at the end of it, if at all. */
    @Test
    void calm_longBefore() {
        story.call("a:1", What.LOCK, 0, 100, Outcome.INTERRUPTED);
        assertThat(refusedAt(79)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(78)).isEqualTo(Decision.VIOLATED);
    }

    /** A client that was hit gives back what it took when it is connected again. */
    @Test
    void hit_untilMended() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        story.fault(Fault.BLACK_HOLED, "a", 5, 400);
        assertThat(refusedAt(520)).isEqualTo(Decision.KEPT);
    }

    /** And not later. */
    @Test
    void hit_longAfter() {
        story.lease(30_000).call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        story.fault(Fault.BLACK_HOLED, "a", 5, 400);
        assertThat(refusedAt(521)).isEqualTo(Decision.VIOLATED);
    }

    /** A fault right before the call is not over for its client until that is connected again. */
    @Test
    void hit_rightBefore() {
        story.fault(Fault.SERVER_PAUSED, "server", 0, 150);
        story.call("a:1", What.LOCK, 200, 210, Outcome.INTERRUPTED);
        assertThat(refusedAt(270)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(271)).isEqualTo(Decision.VIOLATED);
    }

    /** One fault may follow another before the client has mended. */
    @Test
    void hit_again() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.FAILED);
        story.fault(Fault.SERVER_PAUSED, "server", 5, 100);
        story.fault(Fault.CUT_RST, "a", 200, 201);
        assertThat(refusedAt(321)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(323)).isEqualTo(Decision.VIOLATED);
    }

    /** A fault that hits another client hinders nobody from giving back. */
    @Test
    void anotherIsHit() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        story.fault(Fault.BLACK_HOLED, "c", 5, 400);
        assertThat(refusedAt(31)).isEqualTo(Decision.VIOLATED);
    }

    /** What a killed process had taken runs out. */
    @Test
    void killed_untilItsLeaseEnds() {
        story.calls("a:1", What.LOCK, 0, -1);
        story.fault(Fault.CLIENT_KILLED, "a", 10, 11);
        assertThat(refusedAt(360)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(361)).isEqualTo(Decision.VIOLATED);
    }

    /** So does what its caller had given up right before, for nobody was left to give it back. */
    @Test
    void killed_rightAfter() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        story.fault(Fault.CLIENT_KILLED, "a", 20, 21);
        assertThat(refusedAt(370)).isEqualTo(Decision.KEPT);
    }

    /** What it had sent to a server that was stopped, that one does when it goes on; then a lease begins. */
    @Test
    void killed_whileTheServerIsStopped() {
        story.calls("a:1", What.LOCK, 0, -1);
        story.fault(Fault.SERVER_PAUSED, "server", 5, 200);
        story.fault(Fault.CLIENT_KILLED, "a", 10, 11);
        assertThat(refusedAt(550)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(551)).isEqualTo(Decision.VIOLATED);
    }

    /** A client that is being closed leaves its holds to run out. */
    @Test
    void closed_untilItsLeaseEnds() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.CLOSED);
        story.closing("a", 5);
        assertThat(refusedAt(355)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(356)).isEqualTo(Decision.VIOLATED);
    }

    /** Of another library, nothing better is known. */
    @Test
    void guest_untilItsLeaseEnds() {
        story.by(By.REDISSON).call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        assertThat(refusedAt(380)).isEqualTo(Decision.KEPT);
        assertThat(refusedAt(381)).isEqualTo(Decision.VIOLATED);
    }

    /** One that has not come back yet may have the lock at any time. */
    @Test
    void underWay() {
        Op waiting = story.calls("a:1", What.LOCK, 0, -1);
        assertThat(refusedAt(1_000)).isEqualTo(Decision.KEPT);
        story.returns(waiting, 2_000, Outcome.GRANTED, 0, 1);
        assertThat(refusedAt(1_500)).isEqualTo(Decision.KEPT);
    }
}
