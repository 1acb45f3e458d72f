package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.ReportChannel;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lease of 300 ms that is granted at 1 ends at 301; the loss is to be reported by 321. */
final class LossesTest {
    private final Story story = new Story();
    private final Op held = story.lock("a:1", 0, 1);

    private Decision decisionAt(long end) {
        story.inspected("a", end);
        return story.judgedBy(new Losses(Story.TERMS)).decision();
    }

    /** A loss that is not reported is a violation. */
    @Test
    void lost_neverReported() {
        assertThat(decisionAt(322)).isEqualTo(Decision.VIOLATED);
    }

    /** A loss may be reported at the last moment. */
    @Test
    void lost_reportedInTime() {
        story.announced(held, 321, Loss.UNREACHABLE);
        assertThat(decisionAt(500)).isEqualTo(Decision.KEPT);
    }

    /** A loss that is reported later is a violation. */
    @Test
    void lost_reportedLate() {
        story.announced(held, 322, Loss.UNREACHABLE);
        assertThat(decisionAt(500)).isEqualTo(Decision.VIOLATED);
    }

    /** Each confirmation begins the lease anew. */
    @Test
    void renewed() {
        story.confirmed(held, 100, 105);
        assertThat(decisionAt(425)).isEqualTo(Decision.KEPT);
        assertThat(decisionAt(426)).isEqualTo(Decision.VIOLATED);
    }

    /** No report is needed for a lock that is released before the deadline. */
    @Test
    void released() {
        story.unlock("a:1", 320, 330);
        assertThat(decisionAt(500)).isEqualTo(Decision.KEPT);
    }

    /** The time for which a process was stopped does not count. */
    @Test
    void paused() {
        story.fault(Fault.CLIENT_PAUSED, "a", 100, 400);
        story.announced(held, 420, Loss.EXPIRED);
        assertThat(decisionAt(900)).isEqualTo(Decision.KEPT);
    }

    /** Nor does a time in which the machine did not let it run. */
    @Test
    void stoodStill() {
        story.stoodStill("a", 100, 400);
        story.announced(held, 420, Loss.EXPIRED);
        assertThat(decisionAt(900)).isEqualTo(Decision.KEPT);
    }

    /** A process that was stopped finds that it stood still, which is the same time. */
    @Test
    void stoodStill_whileStopped_countsOnce() {
        story.fault(Fault.CLIENT_PAUSED, "a", 100, 400);
        story.stoodStill("a", 90, 405);
        story.announced(held, 421, Loss.EXPIRED);
        assertThat(decisionAt(900)).isEqualTo(Decision.VIOLATED);
    }

    /** Other time does. */
    @Test
    void paused_silentAfterwards() {
        story.fault(Fault.CLIENT_PAUSED, "a", 100, 310);
        story.fault(Fault.CLIENT_PAUSED, "a", 320, 400);
        story.announced(held, 411, Loss.EXPIRED);
        assertThat(decisionAt(900)).isEqualTo(Decision.VIOLATED);
    }

    /** Pauses that have ended before, and pauses of other processes, do not extend the deadline. */
    @Test
    void paused_tooLate() {
        story.fault(Fault.CLIENT_PAUSED, "a", 200, 250);
        story.fault(Fault.CLIENT_PAUSED, "b", 100, 400);
        story.announced(held, 322, Loss.EXPIRED);
        assertThat(decisionAt(900)).isEqualTo(Decision.VIOLATED);
    }

    /** A killed process reports nothing. */
    @Test
    void killed() {
        story.fault(Fault.CLIENT_KILLED, "a", 200, 201);
        assertThat(decisionAt(900)).isEqualTo(Decision.KEPT);
    }

    /** A process that closes its clients need not report. */
    @Test
    void closing() {
        story.closing("a", 310);
        assertThat(decisionAt(900)).isEqualTo(Decision.KEPT);
    }

    /** No check finds a hold valid after its lease. */
    @Test
    void believed_tooLong() {
        story.announced(held, 310, Loss.EXPIRED);
        story.believed(held, 1, 302);
        assertThat(decisionAt(500)).isEqualTo(Decision.VIOLATED);
    }

    /** Up to its end, checks may. */
    @Test
    void believed_toTheEnd() {
        story.announced(held, 310, Loss.EXPIRED);
        story.believed(held, 1, 301);
        assertThat(decisionAt(500)).isEqualTo(Decision.KEPT);
    }

    /** An acquisition that the owner abandoned just before may have been granted, with the longer lease. */
    @Test
    void believed_afterOneThatWasGivenUp() {
        story.call("b:1", What.LOCK, 400, 401, Outcome.CANCELLED);
        Op shorter = story.lease(50).lock("b:1", 402, 403);
        story.announced(held, 310, Loss.EXPIRED);
        story.believed(shorter, 404, 702);
        story.unlock("b:1", 702, 703);
        assertThat(decisionAt(900)).isEqualTo(Decision.KEPT);
    }

    /** A re-entry that the owner abandoned may have extended the lease. */
    @Test
    void believed_afterAReentryThatWasGivenUp() {
        story.lease(50);
        Op shorter = story.lock("b:1", 402, 403);
        story.call("b:1", What.LOCK, 430, 440, Outcome.INTERRUPTED);
        story.announced(held, 310, Loss.EXPIRED);
        story.believed(shorter, 404, 489);
        story.unlock("b:1", 489, 490);
        assertThat(decisionAt(900)).isEqualTo(Decision.KEPT);
    }

    /** With another hold in between, its lease no longer counts. */
    @Test
    void believed_longAfterOneThatWasGivenUp() {
        story.call("b:1", What.LOCK, 400, 401, Outcome.CANCELLED);
        story.lease(50).lock("b:1", 402, 403);
        story.unlock("b:1", 404, 405);
        Op shorter = story.lock("b:1", 406, 407);
        story.announced(held, 310, Loss.EXPIRED);
        story.believed(shorter, 408, 500);
        story.unlock("b:1", 500, 501);
        assertThat(decisionAt(900)).isEqualTo(Decision.VIOLATED);
    }

    /** The last confirmation of a killed process may be missing in its journal. */
    @Test
    void believed_andKilled() {
        story.believed(held, 1, 302);
        story.fault(Fault.CLIENT_KILLED, "a", 303, 304);
        assertThat(decisionAt(500)).isEqualTo(Decision.KEPT);
    }

    /** A check that finds the hold invalid does not replace the report. */
    @Test
    void seen_neverReported() {
        story.seenLost(held, 305);
        assertThat(decisionAt(500)).isEqualTo(Decision.VIOLATED);
    }

    /** An early detection is followed by the report as soon. */
    @Test
    void seen_reportedInTime() {
        story.seenLost(held, 150);
        story.announced(held, 170, Loss.GONE);
        assertThat(decisionAt(500)).isEqualTo(Decision.KEPT);
    }

    /** A later report is a violation. */
    @Test
    void seen_reportedLate() {
        story.seenLost(held, 150);
        story.announced(held, 171, Loss.GONE);
        assertThat(decisionAt(500)).isEqualTo(Decision.VIOLATED);
    }

    /** The loss of a handle's hold is reported by the handle and to the listener. */
    @ParameterizedTest
    @EnumSource
    void handle_reportedThroughOneChannelOnly(ReportChannel channel) {
        Op handle = story.by(By.HANDLE).lock("b:1", 400, 401);
        story.announced(held, 310, Loss.EXPIRED);
        story.announced(handle, 710, channel, Loss.EXPIRED);
        assertThat(decisionAt(900)).isEqualTo(Decision.VIOLATED);
    }

    /** So is that of permits, which are a handle, too. */
    @Test
    void permits_reportedToTheListenerOnly() {
        Op permits = story.by(By.PERMITS).lock("b:1", 400, 401);
        story.announced(held, 310, Loss.EXPIRED);
        story.announced(permits, 710, ReportChannel.LISTENER, Loss.EXPIRED);
        assertThat(decisionAt(900)).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void handle_reportedThroughBothChannels() {
        Op handle = story.by(By.HANDLE).lock("b:1", 400, 401);
        story.announced(held, 310, Loss.EXPIRED);
        story.announced(handle, 710, ReportChannel.LISTENER, Loss.EXPIRED);
        story.announced(handle, 711, ReportChannel.HANDLE, Loss.EXPIRED);
        assertThat(decisionAt(900)).isEqualTo(Decision.KEPT);
    }

    /** Checks that query the server follow the server's clock. */
    @Test
    void believed_byTheServer() {
        Op guest = story.by(By.REDISSON).lock("g:1", 400, 401);
        story.announced(held, 310, Loss.EXPIRED);
        story.seenLost(guest, 704);
        story.believed(guest, 401, 703);
        assertThat(decisionAt(900)).isEqualTo(Decision.KEPT);
    }
}
