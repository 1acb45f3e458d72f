package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A chain of handoffs is unanswered, and the network stays down: releases fail in time. */
@Tag("fault")
@Tag("driver")
class HandoffOutageTest {
    private static final String NAME = "orders:42";

    /** More connections than are made within a test. */
    private static final int MANY = 1_000;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.hastyClient();

    /**
     * A release whose handoff is unanswered fails after the command timeout, and not only when there is a connection
     * again.
     */
    @Test
    void unanswered_releaseFailsInTime() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 1);
        faulty.commandConnection().blackHole(Direction.REPLIES);
        CompletableFuture<@Nullable Void> released = scene.handOff();
        scene.awaitOwnerInRedis();
        faulty.proxy().refuse();
        faulty.proxy().cutRst();

        assertUnanswered(released);

        faulty.proxy().accept();
        eventually(client::isConnected);
        assertThat(scene.owner().isValid()).isTrue();
        scene.finish();
    }

    /** The same if connections come and go, and none lives long enough to repair the chain. */
    @Test
    void unansweredAgain_releaseFailsInTime() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 1);
        faulty.commandConnection().blackHole(Direction.REPLIES);
        CompletableFuture<@Nullable Void> released = scene.handOff();
        scene.awaitOwnerInRedis();
        for (int i = 0; i < MANY; i++) {
            faulty.proxy().cutInsteadOfReplyTo(scene.ownerField());
        }
        faulty.proxy().cutRst();
        eventually(() -> faulty.proxy().lostReplies() > 0);

        assertUnanswered(released);

        faulty.proxy().heal();
        eventually(client::isConnected);
        assertThat(scene.owner().isValid()).isTrue();
        scene.finish();
    }

    /**
     * A handoff that is refused within its chain is resolved by the next connection; if none comes, the release fails
     * in time.
     */
    @Test
    void refused_releaseFailsInTime() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 1);
        faulty.server().command("SCRIPT", "FLUSH");
        faulty.proxy().refuse();
        // The receiver starts before the reply only if the reply is not there yet.
        faulty.commandConnection().holdRequests();
        CompletableFuture<@Nullable Void> released = scene.handOff();
        faulty.proxy().releaseRequests();

        assertUnanswered(released);

        faulty.proxy().accept();
        eventually(client::isConnected);
        assertThat(scene.owner().isValid()).isTrue();
        scene.finish();
    }

    private static void assertUnanswered(CompletableFuture<?> release) {
        assertThatThrownBy(() -> get(release, SOON))
                .isInstanceOf(LockException.class)
                .hasMessageContaining(NAME);
    }
}
