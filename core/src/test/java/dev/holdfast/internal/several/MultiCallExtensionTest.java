package dev.holdfast.internal.several;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LockException;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A call for several locks that has waited for the last one, and extends the explicit leases of those before it. */
@Tag("pure")
final class MultiCallExtensionTest {
    private static final PlainKind KIND = new PlainKind();
    private static final Duration WAIT = Duration.ofMillis(500);

    /** Where the script for two locks has the tenure of the first. */
    private static final int TENURE_OF_FIRST = 8;

    private static final LeaseRequest EXPLICIT = LeaseRequest.explicit(Duration.ofMinutes(1));

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    /** {@return what the call is granted, which waits for the second lock until it is granted} */
    private CompletableFuture<Optional<List<PartAcquisition>>> grantedBoth() {
        CompletableFuture<Optional<List<PartAcquisition>>> call = new MemberSet(Stream.of("orders:1", "orders:2")
                        .map(name -> new Member(
                                nodes.parts.holds().session(),
                                nodes.parts.acquisitions(),
                                new LockKey(KIND, name, ""),
                                nodes.parts.holds().watchedLease()))
                        .toList())
                .begin(EXPLICIT, WAIT.toNanos(), null)
                .toFuture(granted -> granted);
        nodes.former.replyEach(
                Long.parseLong(nodes.former.received().get(TENURE_OF_FIRST)), 0, -TwoNodes.LEASE.toMillis(), 0);
        nodes.former.reply(nodes.former.tenure());
        assertThat(call).isNotDone();
        return call;
    }

    /** The caller has the locks when the first one is extended. */
    @Test
    void answered_isGranted() {
        CompletableFuture<Optional<List<PartAcquisition>>> call = grantedBoth();
        nodes.former.replyEach(nodes.former.tenure());
        assertThat(TwoNodes.get(call).orElseThrow()).hasSize(2);
    }

    /** Without an answer, the call ends with its wait, and a moment later at the most. */
    @Test
    void unanswered_endsWithTheWait() {
        CompletableFuture<Optional<List<PartAcquisition>>> call = grantedBoth();

        nodes.timer.advance(WAIT.plusMillis(150));

        assertThatThrownBy(() -> TwoNodes.get(call)).hasCauseInstanceOf(LockException.class);
    }
}
