package dev.holdfast.fault;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.OwnedLock;
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
    final FaultyRedis day = new FaultyRedis();

    private final List<CompletableFuture<?>> releases = new ArrayList<>();

    /** The first handoff of a connection sends its script in full when the server does not know it. */
    @Test
    void first_isSentInFull() {
        HandoffScene row = HandoffScene.cold(day, day.client(), NAME, 1);
        flush();

        get(row.passOn());

        assertThat(day.proxy().commands("EVAL")).isEqualTo(1);
        assertThat(row.inRedis()).isEqualTo(row.owner().toString());
        row.finish();
    }

    /** Handoffs of a chain that are refused for that reason are repaired by the next connection; no call fails. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void inARow_isMadeUpFor(int executed) {
        Holdfast client = patient();
        HandoffScene row = HandoffScene.warm(day, client, NAME, executed + 4);
        day.commandConnection().blackHole(Direction.REPLIES);
        for (int i = 0; i < executed; i++) {
            releases.add(row.passOn());
        }
        row.awaitOwnerInRedis();
        flush();
        releases.add(row.passOn());
        releases.add(row.passOn());
        day.proxy().heal();

        releases.forEach(FaultyRedis::get);

        assertThat(row.inRedis()).isEqualTo(row.owner().toString());
        assertThat(row.owner().isValid()).isTrue();
        row.finish();
        assertThat(day.heard().lost()).isEmpty();
    }

    /** A command sent after a refused handoff does not overtake it, even if the server knows that command's script. */
    @Test
    void releaseBehind_comesAfter() {
        HandoffScene row = HandoffScene.warm(day, patient(), NAME, 1);
        Holdfast others = day.bystander();
        day.commandConnection().holdRequests();
        releases.add(row.passOn());
        releases.add(row.owner().releaseAsync());
        flush();
        others.getLock("another").acquire().close();
        day.proxy().releaseRequests();

        releases.forEach(FaultyRedis::get);

        eventually(() -> row.inRedis().isEmpty());
        assertThat(day.heard().lost()).isEmpty();
    }

    /** An owner that tries again does not overtake its own handoff, which may turn out to be refused. */
    @Test
    void ownerTriesAgain_doesNotBargeIn() {
        Holdfast client = patient();
        HandoffScene row = HandoffScene.warm(day, client, "another", 0);
        DistributedLock lock = client.getLock(NAME);
        OwnedLock owned = lock.ownedBy(client.newOwnerId());
        get(owned.lockAsync());
        CompletableFuture<Lease> next = lock.acquireAsync();
        eventually(() -> !day.server().channels().isEmpty()
                && client.stats().waiters() == 1
                && !Inside.residue(client).contains("calls in flight"));
        Holdfast others = day.bystander();
        day.commandConnection().holdRequests();
        releases.add(owned.unlockAsync());
        Lease started = get(next);
        CompletableFuture<Boolean> again = owned.tryLockAsync();
        flush();
        // Now the server knows the acquire script, but not the handoff script.
        others.getLock("yet another").acquire().close();
        day.proxy().releaseRequests();

        assertThat(get(again)).isFalse();

        releases.forEach(FaultyRedis::get);
        assertThat(started.isValid()).isTrue();
        started.close();
        row.finish();
    }

    /** The repair of a chain precedes every other command for the lock, even if scripts cannot be loaded in advance. */
    @Test
    void repair_notLoaded_isFirst() {
        Holdfast client = day.client(builder -> builder.redisUri(day.user("~*", "&*", "+@all", "-script")));
        HandoffScene row = HandoffScene.warm(day, client, NAME, 1);
        day.commandConnection().blackHole();
        releases.add(row.passOn());
        Holdfast others = day.bystander();
        flush();
        // Now the server knows the release script, but not the handoff script.
        others.getLock("another").acquire().close();
        day.proxy().refuse();
        day.proxy().cutRst();
        eventually(() -> !client.isConnected());
        releases.add(row.owner().releaseAsync());
        day.proxy().heal();

        releases.forEach(FaultyRedis::get);

        assertThat(day.heard().lost()).isEmpty();
    }

    /** {@return a client whose command timeout allows a connection to be silent for a while} */
    private Holdfast patient() {
        return day.client(builder -> builder.commandTimeout(FaultyRedis.LONG.dividedBy(4)));
    }

    private void flush() {
        day.server().command("SCRIPT", "FLUSH");
    }
}
