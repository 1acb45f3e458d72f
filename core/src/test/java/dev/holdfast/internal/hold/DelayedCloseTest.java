package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.internal.client.TwoNodes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a close with a delay leaves behind. */
@Tag("pure")
final class DelayedCloseTest {
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
}
