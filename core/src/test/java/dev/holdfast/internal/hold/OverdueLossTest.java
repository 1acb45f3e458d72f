package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisition;
import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.view.Unconnected;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A lease has expired and the timer has not fired yet: a query gets the same reason that the timer would have reported.
 */
@Tag("pure")
final class OverdueLossTest {
    private static final LockKey LOCK = new LockKey(new FencedKind(null), "orders:42", "");
    private static final long OWNER = 17;
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualTimer timer = new ManualTimer();
    private Duration behind = Duration.ZERO;

    @AutoClose
    private final Unconnected parts = new Unconnected(
            Holdfast.builder().redisUri("redis://localhost").watchdogTimeout(LEASE),
            new Deadlines(timer, () -> timer.nanoTime() + behind.toNanos(), Deadlines.DEFAULT_TICK));

    private final Holds holds = parts.holds();

    /** A hold whose renewals were unanswered was lost to an outage, not to its plain expiry. */
    @Test
    void requireHeld_renewalsUnanswered_isUnreachable() {
        Hold hold = hold(LeaseRequest.watched(LEASE));
        standStillAtTheEnd();
        assertLost(LossReason.UNREACHABLE);
        assertThat(hold.lossOfOver().reason()).isEqualTo(LossReason.UNREACHABLE);
    }

    /** A hold that is not renewed has expired. */
    @Test
    void requireHeld_explicit_isExpired() {
        Hold hold = hold(LeaseRequest.explicit(LEASE));
        standStillAtTheEnd();
        assertLost(LossReason.EXPIRED);
        assertThat(hold.lossOfOver().reason()).isEqualTo(LossReason.EXPIRED);
    }

    /** {@return a hold of the owner, whose renewals find no connection} */
    private Hold hold(LeaseRequest lease) {
        Hold[] held = new Hold[1];
        holds.locks().submit(LOCK, OWNER, lane -> new LaneCommand(lane) {
            @Override
            protected void run() {
                AcquireRequest wanted =
                        new AcquireRequest(LOCK, OWNER, Ownership.OWNER_ID, lease, AcquireRequest.FOR_EVER);
                Acquisition by = new FutureAcquisition<>(parts.acquisitions(), wanted, hold -> true, () -> false);
                held[0] = new Hold(lane, session().nextTenure(), session().now(), by, false);
                holds.keep(held[0], session().now(), lease);
                lane.push(held[0]);
                held[0].accepted();
                done();
            }
        });
        return held[0];
    }

    /** Advances the clock past the end of the lease without running the timer. */
    private void standStillAtTheEnd() {
        timer.advance(LEASE.minusSeconds(1));
        behind = Duration.ofSeconds(2);
    }

    private void assertLost(LossReason reason) {
        assertThatThrownBy(() -> holds.requireHeld(LOCK, OWNER))
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(reason));
    }
}
