package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The first waiter makes an attempt of its own, as after a new subscription, while the lock is released. */
@Tag("fault")
class ProbeDuringReleaseTest {
    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /**
     * The release does not wait for the reply to that attempt: the second waiter gets the lock, and the first one after
     * it.
     */
    @Test
    void firstTries_secondIsServed_thenFirst() {
        Holdfast client = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
        HandoffScene scene = HandoffScene.warm(faulty, client, "orders:42", 2);
        List<CompletableFuture<Lease>> line = scene.waiting();
        faulty.commandConnection().blackHole(Direction.REPLIES);
        long before = faulty.proxy().commands("EVALSHA");
        faulty.subscriberConnection().cutRst();
        eventually(() -> faulty.proxy().commands("EVALSHA") == before + 1);

        CompletableFuture<?> released = scene.owner().releaseAsync();
        scene.assumeWithinTurn();
        Lease second = get(line.get(1));

        assertThat(line.get(0)).isNotDone();
        faulty.proxy().heal();
        get(released);
        second.close();
        get(line.get(0)).close();
        assertThat(faulty.events().lost()).isEmpty();
    }
}
