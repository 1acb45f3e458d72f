package dev.holdfast.internal.several;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.hold.Extension;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.LocalLocks;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds of several locks that do not count as valid since the machine seems to have been suspended. */
@Tag("pure")
final class DoubtedHoldTest {
    private static final long OWNER = 7;
    private static final Duration EXPLICIT = Duration.ofMinutes(1);
    private static final Duration LONG_ENOUGH_TO_BE_NOTICED = Duration.ofSeconds(5);

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    private final LocalLocks locks = nodes.parts.holds().locks();

    private MultiHold held() {
        return held(nodes.parts.holds().watchedLease());
    }

    private MultiHold held(LeaseRequest lease) {
        return MultiHold.of(List.of(granted(nodes.parts.request(OWNER, Ownership.HANDLE, lease))));
    }

    private PartAcquisition granted(AcquireRequest wanted) {
        CompletableFuture<PartAcquisition> granted = new CompletableFuture<>();
        PartAcquisition part = new PartAcquisition(
                nodes.parts.acquisitions(), wanted, 0, null, null, (settled, how) -> granted.complete(settled));
        part.begin();
        nodes.former.reply(nodes.former.tenure());
        return granted.join();
    }

    /** A thread that requests such a lock by a multi-lock would wait for itself, whichever kind it holds. */
    @Test
    void mayBeHeld() {
        Hold hold = nodes.acquired(OWNER, nodes.former);
        LockKey key = hold.lock();
        LockKey otherKind = new LockKey(new PlainKind(), key.name(), "");
        assertThat(locks.mayBeHeld(key, OWNER)).isTrue();

        nodes.parts.suspend(LONG_ENOUGH_TO_BE_NOTICED);

        assertThat(locks.held(key, OWNER)).isNull();
        assertThat(locks.mayBeHeld(key, OWNER)).isTrue();
        assertThat(locks.mayBeHeld(otherKind, OWNER)).isTrue();
        assertThat(locks.mayBeHeld(key, OWNER + 1)).isFalse();
        hold.lose(LossReason.GONE);
        assertThat(locks.mayBeHeld(key, OWNER)).isFalse();
    }

    /** What was granted to a call that had given up is nobody's, also while its release waits for another command of the owner. */
    @Test
    void mayBeHeld_declined() {
        Hold hold = nodes.acquired(OWNER, nodes.former);
        CompletableFuture<?> confirmed = Extension.confirm(hold);
        assertThat(locks.mayBeHeld(hold.lock(), OWNER)).isTrue();

        Release.beginUnwanted(hold, hold.newestLevel());

        assertThat(hold.levels()).isEqualTo(1);
        assertThat(locks.mayBeHeld(hold.lock(), OWNER)).isFalse();
        nodes.former.replyEach(hold.tenure());
        assertThat(confirmed).isCompleted();
        assertThat(hold.levels()).isZero();
        nodes.former.reply(hold.tenure());
    }

    /** While they are valid, Redis is not asked. */
    @Test
    void confirm_valid() {
        MultiHold hold = held();
        assertThat(hold.confirm()).isCompleted();
        assertThat(nodes.former.unanswered()).isZero();
    }

    /** A re-entry of a hold in doubt is one when Redis says so. */
    @Test
    void confirm_inDoubt() {
        MultiHold hold = held();
        nodes.parts.suspend(LONG_ENOUGH_TO_BE_NOTICED);
        assertThat(hold.isValid()).isFalse();
        assertThat(hold.loss()).isNull();

        CompletableFuture<?> confirmed = hold.confirm();

        assertThat(confirmed).isNotDone();
        assertThat(nodes.former.received()).contains(String.valueOf(TwoNodes.LEASE.toMillis()));
        nodes.former.replyEach(hold.members().get(0).tenure());
        assertThat(confirmed).isCompleted();
    }

    /** For an explicit lease, no more is requested than is left of it. */
    @Test
    void confirm_explicitLease() {
        MultiHold hold = held(LeaseRequest.explicit(EXPLICIT));
        nodes.parts.suspend(LONG_ENOUGH_TO_BE_NOTICED);

        CompletableFuture<?> confirmed = hold.confirm();

        Duration left = Duration.ofNanos(hold.members().get(0).lease().validUntilNanos() - nodes.timer.nanoTime());
        assertThat(left).isLessThanOrEqualTo(EXPLICIT);
        assertThat(nodes.former.received()).contains(String.valueOf(left.toMillis()));
        nodes.former.replyEach(hold.members().get(0).tenure());
        assertThat(confirmed).isCompleted();
    }

    /** If one of them is lost, the failure is that loss; the other one is confirmed all the same. */
    @Test
    void confirm_otherIsLost() {
        LockKey other = new LockKey(new PlainKind(), "orders:43", "");
        LeaseRequest watched = nodes.parts.holds().watchedLease();
        MultiHold hold = MultiHold.of(List.of(
                granted(nodes.parts.request(OWNER, Ownership.HANDLE)),
                granted(new AcquireRequest(other, OWNER, Ownership.HANDLE, watched, AcquireRequest.FOR_EVER))));
        nodes.parts.suspend(LONG_ENOUGH_TO_BE_NOTICED);
        hold.members().get(1).lose(LossReason.GONE);
        Patience.await().until(() -> hold.lossSignal().isDone());

        // Of the one that was denied, whatever another node may have.
        nodes.former.reply(nodes.former.tenure());

        CompletableFuture<?> confirmed = hold.confirm();

        nodes.former.replyEach(hold.members().get(0).tenure());
        assertThatThrownBy(confirmed::join).cause().isInstanceOf(LeaseLostException.class);
        assertThat(hold.members().get(0).loss()).isNull();
    }

    /** It fails if Redis does not have it any more. */
    @Test
    void confirm_lost() {
        MultiHold hold = held();
        nodes.parts.suspend(LONG_ENOUGH_TO_BE_NOTICED);

        CompletableFuture<?> confirmed = hold.confirm();

        nodes.former.replyEach(TwoNodes.NOT_HELD);
        assertThatThrownBy(confirmed::join).cause().isInstanceOf(LeaseLostException.class);
    }
}
