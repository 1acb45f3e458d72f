package dev.holdfast.fault;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.OwnedLock;
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
    final FaultyRedis day = new FaultyRedis();

    private final Holdfast client = day.client(builder -> builder.redisUri(day.user("~*", "&*", "+@all")));

    /** A handoff that is awaited is replaced by a release, also if the script stopped halfway. */
    @Test
    void awaited_isReleasedInstead() {
        HandoffScene row = HandoffScene.cold(day, client, NAME, 2);
        grant("-hdel");

        get(row.passOn());
        get(row.passOn());

        assertThat(row.inRedis()).isEqualTo(row.owner().toString());
        row.finish();
    }

    /**
     * If the release is refused as well, it fails for its caller, and the lock is released when that becomes possible.
     */
    @Test
    void awaited_releaseRefused_isReleasedLater() {
        HandoffScene row = HandoffScene.cold(day, client, NAME, 1);
        grant("-evalsha");
        CompletableFuture<?> released = row.owner().releaseAsync();
        assertThatThrownBy(() -> get(released))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("+evalsha");
        grant("+@all");

        get(row.next(), SOON).close();
    }

    /**
     * After a refused handoff in a chain, the last owner has the lock or its loss, and the waiters have the lock or an
     * exception with the reason.
     */
    @ParameterizedTest
    @ValueSource(strings = {"-hdel", "-hset", "-pexpire", "-evalsha"})
    void inARow_isSettled(String right) {
        HandoffScene row = HandoffScene.warm(day, client, NAME, 4);
        day.commandConnection().holdRequests();
        List<CompletableFuture<?>> releases = new ArrayList<>();
        releases.add(row.passOn());
        releases.add(row.passOn());
        releases.add(row.passOn());
        grant(right);
        day.proxy().releaseRequests();

        releases.forEach(release -> eventually(release::isDone));
        grant("+@all");

        Throwable lost = catchThrowable(row.owner()::close);
        Throwable refused = catchThrowable(() -> get(row.next(), SOON).close());
        assertThat(lost == null || lost instanceof LeaseLostException).isTrue();
        assertThat(refused == null || refused instanceof LockException).isTrue();
    }

    /** A script that stopped halfway leaves the previous owner no hold to re-enter. */
    @Test
    void inARow_halfDone_ownerBeforeIsNotIn() {
        HandoffScene row = HandoffScene.warm(day, client, "another", 0);
        DistributedLock lock = client.getLock(NAME);
        OwnedLock owned = lock.ownedBy(client.newOwnerId());
        get(owned.lockAsync());
        CompletableFuture<Lease> next = lock.acquireAsync();
        eventually(() -> !day.server().channels().isEmpty()
                && client.stats().waiters() == 1
                && !Inside.residue(client).contains("calls in flight"));
        day.commandConnection().holdRequests();
        CompletableFuture<?> released = owned.unlockAsync();
        Lease started = get(next);
        grant("-hdel");
        day.proxy().releaseRequests();
        eventually(released::isDone);

        assertThat(started.isValid() && get(owned.tryLockAsync())).isFalse();

        grant("+@all");
        if (started.isValid()) {
            started.close();
        }
        row.finish();
    }

    private void grant(String right) {
        day.server().command("ACL", "SETUSER", "app", right);
    }
}
