package dev.holdfast.internal.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockInfo;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.redis.EmbeddedNode;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inspections under way when the lock moves to another node. */
@Tag("pure")
final class MovedInspectionTest {
    private static final long NO_KEY = -2;

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    private final CompletableFuture<LockInfo> seen = nodes.parts.readKey();

    private static void assertAsked(EmbeddedNode node) {
        assertThat(node.unanswered()).isEqualTo(1);
    }

    /**
     * What the former node says is not believed, be it that it replies after the move or that its connection ends: the other
     * node is asked.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void formerNode_isNotBelieved(boolean replies) {
        assertAsked(nodes.former);
        nodes.turnTo(nodes.next);
        if (replies) {
            nodes.former.movedAway(nodes.parts.slot());
            nodes.former.replyEach(NO_KEY);
        } else {
            nodes.former.disconnect();
        }
        assertThat(seen).isNotDone();

        assertAsked(nodes.next);
        nodes.next.replyEach(NO_KEY);
        assertThat(seen).isCompleted();
    }

    /** It ends with the command timeout, however often the lock moves. */
    @Test
    void timeout() {
        assertAsked(nodes.former);
        nodes.turnTo(nodes.next);
        nodes.timer.advance(TwoNodes.LEASE);
        nodes.former.disconnect();
        assertThat(seen).isCompletedExceptionally();
        assertThat(nodes.next.unanswered()).isZero();
    }
}
