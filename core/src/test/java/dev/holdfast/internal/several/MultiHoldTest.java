package dev.holdfast.internal.several;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds of several locks, of which one is lost. */
@Tag("pure")
final class MultiHoldTest {
    private static final int LOCKS = 3;

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    private final MultiHold whole = held();

    private MultiHold held() {
        List<PartAcquisition> parts = new ArrayList<>();
        for (int i = 0; i < LOCKS; i++) {
            AcquireRequest wanted = new AcquireRequest(
                    new LockKey(new PlainKind(), "orders:" + i, ""),
                    i + 1,
                    Ownership.HANDLE,
                    nodes.parts.holds().watchedLease(),
                    AcquireRequest.FOR_EVER);
            CompletableFuture<PartAcquisition> granted = new CompletableFuture<>();
            new PartAcquisition(
                            nodes.parts.acquisitions(), wanted, i, null, null, (part, how) -> granted.complete(part))
                    .begin();
            nodes.former.reply(nodes.former.tenure());
            parts.add(granted.join());
        }
        return MultiHold.of(parts);
    }

    /** Whatever the reason: the whole is lost, no command is sent about the others, and they are kept. */
    @ParameterizedTest
    @EnumSource
    void lost_nothingIsReleased(LossReason reason) {
        Hold lost = whole.members().get(1);
        lost.lose(reason);
        Patience.await().until(() -> whole.lossSignal().isDone());

        assertThat(whole.lossSignal().join()).isEqualTo(lost.loss());
        assertThat(whole.isValid()).isFalse();
        releaseOfTheDenied(lost);
        assertThat(nodes.former.unanswered()).isZero();
        assertThat(whole.members()).filteredOn(Hold::isValid).hasSize(LOCKS - 1);
        assertThat(nodes.parts.holds().size()).isEqualTo(LOCKS - 1);
    }

    /** A hold that a node has denied is released by its tenure, since another node may have it. */
    private void releaseOfTheDenied(Hold lost) {
        if (nodes.former.unanswered() > 0) {
            TwoNodes.assertReleases(nodes.former, lost.tenure());
            nodes.former.reply(lost.tenure());
        }
    }

    /** Its end releases those that are left, and fails with the first loss; one that came later is suppressed. */
    @Test
    void lost_end() {
        whole.members().get(2).lose(LossReason.TAKEN);
        releaseOfTheDenied(whole.members().get(2));
        Patience.await().until(() -> whole.lossSignal().isDone());
        whole.members().get(0).lose(LossReason.GONE);
        releaseOfTheDenied(whole.members().get(0));

        CompletableFuture<?> ended = whole.end(Release::begin);

        TwoNodes.assertReleases(nodes.former, whole.members().get(1).tenure());
        nodes.former.reply(nodes.former.tenure());
        assertThatThrownBy(ended::join)
                .cause()
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("orders:2")
                .satisfies(first -> assertThat(first.getSuppressed())
                        .singleElement()
                        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                        .hasMessageContaining("orders:0"));
        assertThat(nodes.parts.holds().size()).isZero();
    }
}
