package dev.holdfast.fault.release;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.fault.HandoffScene;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A release is not deferred for replies that will not come. */
@Tag("fault")
@Tag("driver")
final class DeferredReleaseOutageTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.hastyClient();

    /** A release during an outage fails after a command timeout, although earlier handoffs are unanswered. */
    @Test
    void release_duringOutage_isNotDeferred() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 2);
        faulty.proxy().blackHole();
        CompletableFuture<?> first = scene.handOff();
        CompletableFuture<?> second = scene.handOff();
        eventually(first::isCompletedExceptionally);

        CompletableFuture<?> last = scene.owner().releaseAsync();

        eventually(last::isCompletedExceptionally);
        assertThat(second).isCompletedExceptionally();
        faulty.proxy().heal();
        eventually(() -> !faulty.server().keys().contains(NAME));
    }
}
