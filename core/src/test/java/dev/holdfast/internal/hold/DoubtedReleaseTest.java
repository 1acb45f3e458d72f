package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.ReleaseUnconfirmedException;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.node.Home;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The release of a hold that does not count as valid since the machine seems to have been suspended. */
@Tag("pure")
final class DoubtedReleaseTest {
    private static final long OWNER = 7;
    private static final Duration LONG_ENOUGH_TO_BE_NOTICED = Duration.ofSeconds(5);
    private static final Duration AN_OUTAGE = Duration.ofSeconds(10);

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    private final Hold hold = nodes.acquired(OWNER, nodes.former);

    /** The reply to the release says whether the lock was held until then. */
    @Test
    void released() {
        nodes.parts.suspend(LONG_ENOUGH_TO_BE_NOTICED);
        CompletableFuture<?> released = Release.begin(hold);
        nodes.former.reply(hold.tenure());
        assertThat(released).isCompleted();
    }

    /** Without a reply it is not known whether the work was protected, so more than the release is unconfirmed. */
    @Test
    void unanswered() {
        nodes.parts.suspend(LONG_ENOUGH_TO_BE_NOTICED);
        assertThatThrownBy(this::releasedInVain).isExactlyInstanceOf(LockException.class);
    }

    /** While the hold counts as valid, only the release is. */
    @Test
    void unanswered_valid() {
        assertThatThrownBy(this::releasedInVain)
                .isInstanceOfSatisfying(ReleaseUnconfirmedException.class, e -> assertThat(e.names())
                        .isEqualTo(List.of(hold.lock().name())));
    }

    private void releasedInVain() throws Throwable {
        CompletableFuture<?> released = Release.begin(hold);
        nodes.former.disconnect();
        nodes.timer.advance(AN_OUTAGE);
        throw released.handle((done, failure) -> failure).getNow(null);
    }

    /** If the first reply is lost and Redis then has no hold, it may have been gone before the release. */
    @Test
    void replyLost_gone() {
        nodes.parts.suspend(LONG_ENOUGH_TO_BE_NOTICED);
        CompletableFuture<?> released = Release.begin(hold);
        Home former = nodes.parts.homes().of(hold.lock());
        nodes.former.disconnect();
        nodes.moveTo(nodes.next);
        former.connectionWait().over();
        nodes.next.reply(TwoNodes.NOT_HELD);
        assertThatThrownBy(released::join).hasCauseInstanceOf(LeaseLostException.class);
    }
}
