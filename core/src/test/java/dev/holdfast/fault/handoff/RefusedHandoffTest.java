package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.OwnedLock;
import dev.holdfast.Turn;
import dev.holdfast.fault.HandoffScene;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis refuses a handoff: the lock is released instead, or its owner learns that it is lost. It is never stuck. */
@Tag("fault")
class RefusedHandoffTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(builder -> builder.redisUri(faulty.user("~*", "&*", "+@all")));

    /** A handoff that is awaited is replaced by a release, also if the script stopped halfway. */
    @Test
    void awaited_isReleasedInstead() {
        HandoffScene scene = HandoffScene.cold(faulty, client, NAME, 2);
        grant("-hdel");

        get(scene.handOff());
        get(scene.handOff());

        assertThat(scene.inRedis()).isEqualTo(scene.owner().toString());
        scene.finish();
    }

    /**
     * If the release is refused as well, it fails for its caller, and the lock is released when that becomes possible.
     */
    @Test
    void awaited_releaseRefused_isReleasedLater() {
        HandoffScene scene = HandoffScene.cold(faulty, client, NAME, 1);
        grant("-evalsha");
        CompletableFuture<?> released = scene.owner().releaseAsync();
        assertThatThrownBy(() -> get(released))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("+evalsha");
        grant("+@all");

        get(scene.next(), SOON).close();
    }

    /**
     * After a refused handoff in a chain, the last owner has the lock or its loss, and the waiters have the lock or an
     * exception with the reason.
     */
    @ParameterizedTest
    @ValueSource(strings = {"-hdel", "-hset", "-pexpire", "-evalsha"})
    void inAChain_isResolved(String right) {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 4);
        faulty.commandConnection().holdRequests();
        List<CompletableFuture<?>> releases = new ArrayList<>();
        releases.add(scene.handOff());
        releases.add(scene.handOff());
        releases.add(scene.handOff());
        grant(right);
        faulty.proxy().releaseRequests();

        releases.forEach(release -> eventually(release::isDone));
        grant("+@all");

        Throwable lost = catchThrowable(scene.owner()::close);
        Throwable refused = catchThrowable(() -> get(scene.next(), SOON).close());
        assertThat(lost == null || lost instanceof LeaseLostException).isTrue();
        assertThat(refused == null || refused instanceof LockException).isTrue();
    }

    /** A script that stopped halfway leaves the previous owner no hold to re-enter. */
    @Test
    void inAChain_halfDone_previousOwnerHoldsNothing() {
        HandoffScene scene = HandoffScene.warm(faulty, client, "another", 0);
        DistributedLock lock = client.getLock(NAME);
        OwnedLock owned = lock.ownedBy(client.newOwnerId());
        get(owned.lockAsync());
        long before = faulty.proxy().commands("EVALSHA");
        Turn turn = Turn.begin();
        CompletableFuture<Lease> next = lock.acquireAsync();
        faulty.awaitReadyWaiter(client, before);
        faulty.commandConnection().holdRequests();
        CompletableFuture<?> released = owned.unlockAsync();
        turn.assumeNotOverUnless(next.isDone());
        Lease started = get(next);
        grant("-hdel");
        faulty.proxy().releaseRequests();
        eventually(released::isDone);

        assertThat(started.isValid() && get(owned.tryLockAsync())).isFalse();

        grant("+@all");
        if (started.isValid()) {
            started.close();
        }
        scene.finish();
    }

    private void grant(String right) {
        faulty.server().command("ACL", "SETUSER", "app", right);
    }
}
