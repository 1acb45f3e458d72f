package dev.holdfast.fault.release;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LossReason;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A release is deferred while owners that will acquire the lock again are about to return, and no longer. */
@Tag("fault")
final class DeferredReleaseTest {
    private static final String NAME = "orders:42";

    private static final String CHANNEL = "redisson_lock__channel:{orders:42}";

    /** Longer than any of them takes to return. */
    private static final Duration ROUND_TRIP = Duration.ofMillis(500);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
    private final List<CompletableFuture<?>> releases = new ArrayList<>();

    /**
     * An owner that arrives during the deferral gets the lock at once, before any reply from Redis, and the key stays.
     */
    @Test
    void arrivingOwner_getsIt() {
        ProxiedConnection connection = deferred();

        Lease next = get(client.getLock(NAME).acquireAsync());

        assertThat(releases).noneMatch(CompletableFuture::isDone);
        assertThat(next.isValid()).isTrue();
        assertThat(faulty.server().keys()).contains(NAME);
        connection.heal();
        releases.forEach(FaultyRedis::get);
        next.close();
    }

    /** One that wants the lock fair is not handed it, since others may be in line before it: the lock is released. */
    @Test
    void arrivingFairOwner_isNotHandedIt() {
        ProxiedConnection connection = deferred();
        long before = faulty.proxy().commands("EVALSHA");

        CompletableFuture<Lease> next = client.getFairLock(NAME).acquireAsync();

        eventually(() -> faulty.proxy().commands("EVALSHA") > before);
        assertThat(next).isNotDone();
        connection.heal();
        releases.forEach(FaultyRedis::get);
        get(next).close();
    }

    /** If no owner returns, the lock is released when the preceding releases have been answered. */
    @Test
    void noArrival_isReleased() {
        ProxiedConnection connection = deferred();
        assertThat(faulty.server().keys()).contains(NAME);

        connection.heal();

        releases.forEach(FaultyRedis::get);
        eventually(() -> !faulty.server().keys().contains(NAME));
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** The end of the connection ends the deferral: the lock is released on the next one. */
    @Test
    void connectionLost_isReleased() {
        deferred().cutRst();

        releases.forEach(FaultyRedis::get);
        eventually(() -> !faulty.server().keys().contains(NAME));
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** If the key vanishes during the deferral, the last release fails, because no owner had the lock after it. */
    @Test
    void vanished_noneHolds() {
        ProxiedConnection connection = deferred();
        faulty.server().command("DEL", NAME);

        connection.heal();

        CompletableFuture<?> last = releases.remove(releases.size() - 1);
        releases.forEach(FaultyRedis::get);
        eventually(last::isCompletedExceptionally);
        eventually(() -> assertThat(faulty.events().lost()).containsExactly(LossReason.GONE));
    }

    /**
     * An attempt that is in flight at the time of the release, and will find the lock busy, is not overtaken: it gets
     * the lock next.
     */
    @Test
    void tryUnderWay_getsItAfterwards() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 3);
        ProxiedConnection connection = faulty.commandConnection();
        connection.blackHole(Direction.REPLIES);
        long start = faulty.proxy().commands("EVALSHA");
        releases.add(scene.handOff());
        releases.add(scene.handOff());
        scene.awaitOwnerInRedis();
        // The first handoff, a commit of the second, and the query that causes it.
        eventually(() -> faulty.proxy().commands("EVALSHA") == start + 3);
        long before = faulty.proxy().commands("EVALSHA");
        faulty.server().command("PUBLISH", CHANNEL, "0");
        eventually(() -> faulty.proxy().commands("EVALSHA") == before + 1);

        releases.add(scene.owner().releaseAsync());
        scene.assumeWithinTurn();
        CompletableFuture<?> sentBehind = client.getLock("other").isLockedAsync();

        eventually(() -> faulty.proxy().commands("EVALSHA") > before + 1);
        assertThat(faulty.proxy().commands("EVALSHA")).isEqualTo(before + 2);
        connection.heal();
        Lease last = get(scene.next());
        releases.forEach(FaultyRedis::get);
        get(sentBehind);
        last.close();
    }

    /** Although each of its releases is deferred, a client detects that another one waits, and its budget ends. */
    @Test
    void otherClient_isServed() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 2);
        ProxiedConnection connection = faulty.commandConnection();
        long queries = connection.commands("PUBSUB");
        connection.delay(Direction.REPLIES, ROUND_TRIP);
        releases.add(scene.handOff());
        releases.add(scene.handOff());
        releases.add(scene.owner().releaseAsync());
        scene.awaitOwnerInRedis();
        assertThat(connection.commands("PUBSUB"))
                .as("queried once, before the other client waits")
                .isEqualTo(queries + 1);

        CompletableFuture<?> other =
                faulty.bystander().getLock(NAME).acquireAsync().thenCompose(Lease::releaseAsync);
        eventually(() -> {
            releases.add(get(client.getLock(NAME).acquireAsync()).releaseAsync());
            return other.isDone();
        });

        get(other);
        releases.forEach(FaultyRedis::get);
    }

    /** A closed client defers no release. */
    @Test
    void closed_isReleased() {
        ProxiedConnection connection = deferred();

        CompletableFuture<?> closing = FaultyRedis.elsewhere(() -> {
            faulty.close(client);
            return true;
        });

        eventually(() -> !faulty.server().keys().contains(NAME));
        connection.heal();
        get(closing);
    }

    /** Three owners have had the lock in succession, and none of their releases has been answered. */
    private ProxiedConnection deferred() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 2);
        ProxiedConnection connection = faulty.commandConnection();
        connection.blackHole(Direction.REPLIES);
        releases.add(scene.handOff());
        releases.add(scene.handOff());
        scene.awaitOwnerInRedis();
        releases.add(scene.owner().releaseAsync());
        scene.assumeWithinTurn();
        return connection;
    }
}
