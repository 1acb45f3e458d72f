package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A hold that was confirmed at 100 is valid until 397, with the drift. */
final class AlarmsTest {
    private final Story story = new Story();
    private final Op held = story.lock("a:1", 0, 1);

    private Decision decision() {
        Verdict verdict = story.judgedBy(new Alarms(Story.TERMS));
        assertThat(verdict.judged()).isEqualTo(1);
        return verdict.decision();
    }

    private Decision reported(Loss loss, long at) {
        story.announced(held, at, loss);
        return decision();
    }

    /** While renewals are confirmed, no loss is possible, whatever the reason. */
    @ParameterizedTest
    @EnumSource(names = {"EXPIRED", "UNREACHABLE", "GONE", "TAKEN", "FAILOVER", "CLOSED"})
    void lost_whileRenewed(Loss loss) {
        story.confirmed(held, 100, 105);
        assertThat(reported(loss, 396)).isEqualTo(Decision.VIOLATED);
    }

    /** When the lease has passed, every reason is possible. */
    @ParameterizedTest
    @EnumSource(names = {"EXPIRED", "UNREACHABLE", "GONE", "TAKEN"})
    void lost_afterTheLease(Loss loss) {
        story.confirmed(held, 100, 105);
        assertThat(reported(loss, 397)).isEqualTo(Decision.KEPT);
    }

    /** A confirmation that was reported after the loss does not count. */
    @Test
    void lost_confirmedAfterwards() {
        story.confirmed(held, 100, 310);
        assertThat(reported(Loss.UNREACHABLE, 300)).isEqualTo(Decision.KEPT);
    }

    /** A hold that was never renewed is valid for its lease from the call. */
    @Test
    void lost_beforeTheFirstRenewal() {
        assertThat(reported(Loss.EXPIRED, 296)).isEqualTo(Decision.VIOLATED);
    }

    /** During a fault it may have been handed off with the rest of another hold's lease. */
    @Test
    void lost_beforeTheFirstRenewal_broken() {
        story.fault(Fault.SERVER_PAUSED, "server", 100, 250);
        assertThat(reported(Loss.UNREACHABLE, 296)).isEqualTo(Decision.KEPT);
    }

    /** A key that the server lost is gone, and another owner may have taken the lock. */
    @ParameterizedTest
    @EnumSource(names = {"GONE", "TAKEN"})
    void forgotten(Loss loss) {
        story.dataLost(150, 160);
        story.confirmed(held, 100, 105);
        assertThat(reported(loss, 200)).isEqualTo(Decision.KEPT);
    }

    /** That its lease expired is not possible, though. */
    @Test
    void forgotten_butSaidToHaveExpired() {
        story.dataLost(150, 160);
        story.confirmed(held, 100, 105);
        assertThat(reported(Loss.EXPIRED, 200)).isEqualTo(Decision.VIOLATED);
    }

    /** A later loss of data does not explain it. */
    @Test
    void forgotten_later() {
        story.confirmed(held, 100, 105);
        story.dataLost(201, 210);
        assertThat(reported(Loss.GONE, 200)).isEqualTo(Decision.VIOLATED);
    }

    /** The reason "closed" is possible once the close has begun. */
    @Test
    void closed() {
        story.closing("a", 150);
        assertThat(reported(Loss.CLOSED, 150)).isEqualTo(Decision.KEPT);
    }

    /** Before that, it is not. */
    @Test
    void closed_before() {
        story.closing("a", 151);
        assertThat(reported(Loss.CLOSED, 150)).isEqualTo(Decision.VIOLATED);
    }

    /** A renewal is sent 100 ms after the previous one, and is late 100 ms later. */
    @Test
    void atRisk_beforeHalfIsGone() {
        story.confirmed(held, 100, 105);
        story.atRisk(held, 284);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A check may find a loss that was not reported, but not while renewals are confirmed. */
    @Test
    void seenLost_whileRenewed() {
        story.confirmed(held, 100, 105);
        story.seenLost(held, 396);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void seenLost_afterItsLease() {
        story.confirmed(held, 100, 105);
        story.seenLost(held, 397);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    @Test
    void seenLost_keyDeleted() {
        story.dataLost(150, 160);
        story.confirmed(held, 100, 105);
        story.seenLost(held, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    @Test
    void seenLost_closing() {
        story.closing("a", 150);
        story.seenLost(held, 150);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** During a fault, a hold that was never renewed may be at risk at any time. */
    @Test
    void atRisk_broken() {
        story.fault(Fault.SERVER_PAUSED, "server", 100, 250);
        story.atRisk(held, 120);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A process that was stopped derives too late a time from the report of a renewal. */
    @Test
    void lost_confirmationReceivedAfterPause() {
        story.fault(Fault.CLIENT_PAUSED, "a", 110, 390);
        story.confirmed(held, 345, 395);
        assertThat(reported(Loss.EXPIRED, 400)).isEqualTo(Decision.KEPT);
    }

    /** From then on a renewal can be late; the report of the confirmation may have taken as long as is allowed. */
    @Test
    void atRisk_whenHalfIsGone() {
        story.confirmed(held, 100, 105);
        story.atRisk(held, 285);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** On a new connection a renewal is sent at once. */
    @Test
    void atRisk_reconnected() {
        story.fault(Fault.CUT_RST, "a", 90, 91);
        story.confirmed(held, 100, 105);
        story.atRisk(held, 247);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** It is late no earlier than when half of the lease has passed. */
    @Test
    void atRisk_reconnected_tooEarly() {
        story.fault(Fault.CUT_RST, "a", 90, 91);
        story.confirmed(held, 100, 105);
        story.atRisk(held, 246);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }
}
