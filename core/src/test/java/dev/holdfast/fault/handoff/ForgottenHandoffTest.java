package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.OwnedLock;
import dev.holdfast.Turn;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server has forgotten the handoff script: the lock is handed off all the same. */
@Tag("fault")
class ForgottenHandoffTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final List<CompletableFuture<?>> releases = new ArrayList<>();

    /** The first handoff of a connection sends its script in full when the server does not know it. */
    @Test
    void first_isSentInFull() {
        HandoffScene scene = HandoffScene.cold(faulty, faulty.client(), NAME, 1);
        flush();

        get(scene.handOff());

        assertThat(faulty.proxy().commands("EVAL")).isEqualTo(1);
        assertThat(scene.inRedis()).isEqualTo(scene.owner().toString());
        scene.finish();
    }

    /** Handoffs of a chain that are refused for that reason are repaired by the next connection; no call fails. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void inAChain_isRepaired(int executed) {
        Holdfast client = patient();
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, executed + 4);
        faulty.commandConnection().blackHole(Direction.REPLIES);
        for (int i = 0; i < executed; i++) {
            releases.add(scene.handOff());
        }
        scene.awaitOwnerInRedis();
        flush();
        releases.add(scene.handOff());
        releases.add(scene.handOff());
        faulty.proxy().heal();

        releases.forEach(FaultyRedis::get);

        assertThat(scene.inRedis()).isEqualTo(scene.owner().toString());
        assertThat(scene.owner().isValid()).isTrue();
        scene.finish();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** A command sent after a refused handoff does not overtake it, even if the server knows that command's script. */
    @Test
    void releaseBehind_comesAfter() {
        HandoffScene scene = HandoffScene.warm(faulty, patient(), NAME, 1);
        Holdfast others = faulty.bystander();
        faulty.commandConnection().holdRequests();
        releases.add(scene.handOff());
        releases.add(scene.owner().releaseAsync());
        flush();
        others.getLock("another").acquire().close();
        faulty.proxy().releaseRequests();

        releases.forEach(FaultyRedis::get);

        eventually(() -> scene.inRedis().isEmpty());
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** An owner that tries again does not overtake its own handoff, which may turn out to be refused. */
    @Test
    void ownerTriesAgain_doesNotBargeIn() {
        Holdfast client = patient();
        HandoffScene scene = HandoffScene.warm(faulty, client, "another", 0);
        DistributedLock lock = client.getLock(NAME);
        OwnedLock owned = lock.ownedBy(client.newOwnerId());
        Holdfast others = faulty.bystander();
        get(owned.lockAsync());
        long before = faulty.proxy().commands("EVALSHA");
        Turn turn = Turn.begin();
        CompletableFuture<Lease> next = lock.acquireAsync();
        faulty.awaitReadyWaiter(client, before);
        faulty.commandConnection().holdRequests();
        releases.add(owned.unlockAsync());
        turn.assumeNotOverUnless(next.isDone());
        Lease started = get(next);
        CompletableFuture<Boolean> again = owned.tryLockAsync();
        flush();
        // Now the server knows the acquire script, but not the handoff script.
        others.getLock("yet another").acquire().close();
        faulty.proxy().releaseRequests();

        assertThat(get(again)).isFalse();

        releases.forEach(FaultyRedis::get);
        assertThat(started.isValid()).isTrue();
        started.close();
        scene.finish();
    }

    /** The repair of a chain precedes every other command for the lock, even if scripts cannot be loaded in advance. */
    @Test
    void repair_notLoaded_isFirst() {
        Holdfast client = faulty.client(builder -> builder.redisUri(faulty.user("~*", "&*", "+@all", "-script")));
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 1);
        faulty.commandConnection().blackHole();
        releases.add(scene.handOff());
        Holdfast others = faulty.bystander();
        flush();
        // Now the server knows the release script, but not the handoff script.
        others.getLock("another").acquire().close();
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        eventually(() -> !client.isConnected());
        releases.add(scene.owner().releaseAsync());
        faulty.proxy().heal();

        releases.forEach(FaultyRedis::get);

        assertThat(faulty.events().lost()).isEmpty();
    }

    /** {@return a client whose command timeout allows a connection to be silent for a while} */
    private Holdfast patient() {
        return faulty.client(builder -> builder.commandTimeout(FaultyRedis.LONG.dividedBy(4)));
    }

    private void flush() {
        faulty.server().command("SCRIPT", "FLUSH");
    }
}
