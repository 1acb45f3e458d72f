package dev.holdfast.fault;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A release is not deferred for replies that will not come. */
@Tag("fault")
final class DeferredReleaseOutageTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis day = new FaultyRedis();

    private final Holdfast client = day.client();

    /** A release during an outage fails after a command timeout, although earlier handoffs are unanswered. */
    @Test
    void release_duringOutage_isNotPutOff() {
        HandoffScene row = HandoffScene.warm(day, client, NAME, 2);
        day.proxy().blackHole();
        CompletableFuture<?> first = row.passOn();
        CompletableFuture<?> second = row.passOn();
        eventually(first::isCompletedExceptionally);

        CompletableFuture<?> last = row.owner().releaseAsync();

        eventually(last::isCompletedExceptionally);
        assertThat(second).isCompletedExceptionally();
        day.proxy().heal();
        eventually(() -> !day.server().keys().contains(NAME));
    }
}
