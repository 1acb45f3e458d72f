package dev.holdfast.fault.close;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client is closed in the midst of a handoff chain: no call hangs, and every owner and waiter learns its outcome. */
@Tag("fault")
@Tag("driver")
class HandoffCloseTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(builder -> builder.commandTimeout(FaultyRedis.COMMAND_TIMEOUT));
    private final List<CompletableFuture<?>> releases = new ArrayList<>();

    /**
     * The owner's hold is lost, waiters fail, and each release that handed off either succeeds or fails with an unknown
     * outcome.
     */
    @ParameterizedTest
    @EnumSource
    void close_withoutReplies_allOwnersAreNotified(CloseUnderWayTest.Network network) {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 3);
        faulty.commandConnection().blackHole(Direction.REPLIES);
        releases.add(scene.handOff());
        releases.add(scene.handOff());
        network.fail(faulty);

        faulty.close(client);

        assertThat(scene.owner().isValid()).isFalse();
        assertThat(get(scene.owner().lost().toCompletableFuture(), SOON).reason())
                .isEqualTo(LossReason.CLOSED);
        assertThatThrownBy(() -> get(scene.next(), SOON))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("CLOSED");
        for (CompletableFuture<?> release : releases) {
            Throwable outcome = catchThrowable(() -> get(release, SOON));
            if (outcome != null) {
                assertThat(outcome).isInstanceOf(LockException.class).hasMessageContaining(NAME);
            }
        }
        // What it holds runs out.
        assertThat(faulty.server().command("PTTL", NAME))
                .isInstanceOfSatisfying(Long.class, left -> assertThat(left).isPositive());
        faulty.server().command("DEL", NAME);
    }

    /** With a grace the owner finishes, and does not hand the lock off any more. */
    @Test
    void grace_ownerFinishes_lockIsFree() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 2);
        releases.add(scene.handOff());
        CompletableFuture<Boolean> closed = elsewhere(() -> {
            client.close(LONG);
            return true;
        });
        assertThatThrownBy(() -> get(scene.next(), SOON))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("CLOSED");
        assertThat(closed).isNotDone();

        scene.owner().close();

        assertThat(get(closed, SOON)).isTrue();
        releases.forEach(FaultyRedis::get);
        eventually(() -> faulty.server().keys().isEmpty());
        assertThat(faulty.events().lost()).isEmpty();
    }
}
