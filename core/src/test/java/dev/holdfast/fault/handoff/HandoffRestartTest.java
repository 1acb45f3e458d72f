package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server loses all its data while a lock is being handed off. */
@Tag("fault")
@Tag("driver")
class HandoffRestartTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** The last owner's hold is lost, the other releases succeed, and the next owner acquires the lock anew. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lastOwnerIsNotified_nextHolds(boolean executed) {
        Holdfast client = faulty.client(builder -> builder.commandTimeout(FaultyRedis.LONG.dividedBy(4)));
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 3);
        faulty.commandConnection().blackHole(executed ? Direction.REPLIES : Direction.REQUESTS);
        List<CompletableFuture<?>> releases = List.of(scene.handOff(), scene.handOff());
        if (executed) {
            scene.awaitOwnerInRedis();
        }

        faulty.server().kill();
        faulty.proxy().cutRst();
        faulty.server().restart();

        assertThat(get(scene.owner().lost().toCompletableFuture(), SOON).reason())
                .isEqualTo(LossReason.GONE);
        releases.forEach(FaultyRedis::get);
        Lease next = get(scene.next(), SOON);
        assertThat(next.isValid()).isTrue();
        assertThatThrownBy(scene.owner()::close).isInstanceOf(LeaseLostException.class);
        next.close();
        eventually(() -> assertThat(faulty.events().lost()).containsExactly(LossReason.GONE));
    }
}
