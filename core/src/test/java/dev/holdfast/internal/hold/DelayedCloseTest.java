package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.LeaseLostException;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.UnconfirmedReleases;
import dev.holdfast.internal.redis.EmbeddedNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a close with a delay leaves behind. */
@Tag("pure")
final class DelayedCloseTest {
    private static final Duration LONG_ENOUGH_TO_BE_NOTICED = Duration.ofSeconds(5);
    private static final Duration DELAY = Duration.ofDays(365);

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    /** A close that has failed keeps nothing until the end of a delay that no lease outlasts, and says what may happen. */
    @Test
    void unanswered_delayIsLongerThanTheLease_keepsNothing() {
        CompletableFuture<?> closed = DelayedClose.begin(nodes.acquired(7, nodes.former), DELAY);
        nodes.former.disconnect();

        nodes.timer.advance(TwoNodes.LEASE);

        assertThatThrownBy(closed::join).hasMessageContaining("the lock may be free before the delay has passed");
        nodes.timer.advance(TwoNodes.LEASE);
        assertThat(nodes.timer.pending()).isZero();
    }

    /**
     * If the first reply is lost and the key is gone after the delay, it has expired as it should; but the hold of a process
     * that seems to have been suspended may have been gone before it was closed.
     */
    @Test
    void inDoubt_replyLost_goneAfterTheDelay() {
        Hold hold = nodes.acquired(7, nodes.former);
        nodes.parts.suspend(LONG_ENOUGH_TO_BE_NOTICED);
        assertThatThrownBy(() -> goneAfterTheDelay(hold)).isInstanceOf(LeaseLostException.class);
    }

    /** Without that doubt it is no loss. */
    @Test
    void replyLost_goneAfterTheDelay() throws Throwable {
        goneAfterTheDelay(nodes.acquired(7, nodes.former));
    }

    private void goneAfterTheDelay(Hold hold) throws Throwable {
        Duration delay = Duration.ofMillis(50);
        CompletableFuture<?> closed = DelayedClose.begin(hold, delay);
        Home former = nodes.parts.homes().of(hold.lock());
        nodes.former.disconnect();
        nodes.timer.advance(delay);
        nodes.moveTo(nodes.next);
        former.connectionWait().over();
        nodes.next.reply(TwoNodes.NOT_HELD);
        assertThat(closed).isDone();
        Throwable failure = closed.handle((done, why) -> why).join();
        if (failure != null) {
            throw failure;
        }
    }

    /** A confirmed close ends an outage as a confirmed release does: the next outage is logged again. */
    @Test
    void confirmed_endsTheOutage() {
        try (CapturedWarnings captured = new CapturedWarnings()) {
            unanswered(nodes.former);
            Hold hold = nodes.acquired(8, nodes.next);
            CompletableFuture<?> closed = DelayedClose.begin(hold, DELAY);
            nodes.next.reply(hold.tenure());
            assertThat(closed).isCompleted();
            unanswered(nodes.next);

            assertThat(captured.of(UnconfirmedReleases.class)).hasSize(2);
        }
    }

    /** A close at this node, which has no connection from then on; the other node has the locks after that. */
    private void unanswered(EmbeddedNode node) {
        CompletableFuture<?> closed = DelayedClose.begin(nodes.acquired(7, node), DELAY);
        node.disconnect();
        nodes.timer.advance(Duration.ofSeconds(10));
        assertThat(closed).isCompletedExceptionally();
        nodes.turnTo(nodes.next);
        nodes.next.confirmBy(true);
    }
}
