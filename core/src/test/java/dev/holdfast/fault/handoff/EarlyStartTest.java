package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When the next owner starts before its handoff is answered, and when it does not. */
@Tag("fault")
class EarlyStartTest {
    private static final String NAME = "orders:42";

    /** How many handoffs may be unanswered. */
    private static final int LONGEST = 256;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** Its futures are completed directly, so a future that is not done was not granted. */
    private final Holdfast client =
            faulty.client(builder -> builder.callbackExecutor(Runnable::run).commandTimeout(LONG.dividedBy(4)));

    /**
     * Once a handoff has been answered, the next owner starts when its handoff is written, while the release still
     * waits for the reply.
     */
    @Test
    void answeredBefore_startsAtOnce() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 1);
        faulty.commandConnection().blackHole(Direction.REPLIES);

        CompletableFuture<?> released = scene.handOff();

        assertThat(released).isNotDone();
        assertThat(scene.owner().isValid()).isTrue();
        faulty.proxy().heal();
        get(released);
        assertThat(scene.inRedis()).isEqualTo(scene.owner().toString());
        scene.finish();
    }

    /**
     * Before the reply, a hold is valid no longer than the hold it was handed off from; with the reply its own lease
     * counts.
     */
    @Test
    void unconfirmed_validNoLongerThanBefore() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 1, LONG.multipliedBy(2));
        Lease before = scene.owner();
        faulty.commandConnection().blackHole(Direction.REPLIES);
        Duration left = before.remaining();

        CompletableFuture<?> released = scene.handOff();

        assertThat(scene.owner().remaining()).isPositive().isLessThanOrEqualTo(left);
        faulty.proxy().heal();
        get(released);
        assertThat(scene.owner().remaining()).isGreaterThan(LONG);
        scene.finish();
    }

    /** The next owner waits for the reply to the first handoff of a connection: the server may not know the script. */
    @Test
    void firstOfTheConnection_awaitsTheAnswer() {
        HandoffScene scene = HandoffScene.cold(faulty, client, NAME, 1);

        assertAwaited(scene);
    }

    /** The same for the first handoff of the next connection. */
    @Test
    void firstOfTheNextConnection_awaitsTheAnswer() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 1);
        faulty.proxy().cutRst();
        eventually(() -> !client.isConnected() || faulty.proxy().connections().size() == 2);
        eventually(() -> client.isConnected() && !Inside.residue(client).contains("calls in flight"));

        assertAwaited(scene);
    }

    /**
     * If less of the lease is left than a reply may take, the next owner waits, since its hold could have expired by
     * then.
     */
    @Test
    void leaseNearItsEnd_awaitsTheAnswer() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 2, LONG.dividedBy(5));
        get(scene.handOff());

        assertAwaited(scene);
    }

    /** Owners that start faster than Redis replies are limited: at the maximum chain length one waits for its reply. */
    @Test
    void longestChain_oneAwaitsTheAnswer() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, LONGEST + 10);
        List<CompletableFuture<Void>> ends = scene.waiting().stream()
                .map(waiter -> waiter.thenCompose(Lease::releaseAsync))
                .toList();
        long before = client.stats().acquired();
        faulty.commandConnection().blackHole(Direction.REPLIES);

        long sent = faulty.proxy().commands("EVALSHA");

        CompletableFuture<?> released = scene.owner().releaseAsync();

        // The first handoff, a commit of the others, or several if the machine is slow, and the one that awaits its
        // reply.
        scene.awaitWithinTurn(() ->
                faulty.proxy().commands("EVALSHA") >= sent + 3 && client.stats().acquired() >= before + LONGEST);
        assertThat(client.stats().acquired()).isEqualTo(before + LONGEST);
        faulty.proxy().heal();
        Stream.concat(Stream.of(released), ends.stream()).forEach(FaultyRedis::get);
        assertThat(faulty.events().lost()).isEmpty();
    }

    private void assertAwaited(HandoffScene scene) {
        faulty.commandConnection().blackHole(Direction.REPLIES);
        String before = scene.inRedis();
        CompletableFuture<?> released = scene.owner().releaseAsync();
        eventually(() -> !scene.inRedis().equals(before));

        assertThat(scene.next()).isNotDone();
        assertThat(released).isNotDone();

        faulty.proxy().heal();
        get(released);
        get(scene.next()).close();
    }
}
