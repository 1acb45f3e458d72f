package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The lock is lost while it is being handed off: both the releasing owner and its successor learn of the loss, and the
 * next waiter acquires the lock anew, without waiting for the end of a lease.
 */
@Tag("fault")
@Tag("driver")
class HandoffLossTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));

    /** A handoff of a lock that is gone fails for the releasing owner, and for the next one if it had started. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void keyDeleted_ownersAreNotified(boolean early) {
        HandoffScene scene =
                early ? HandoffScene.warm(faulty, client, NAME, 2) : HandoffScene.cold(faulty, client, NAME, 1);
        faulty.server().command("DEL", NAME);

        CompletableFuture<?> released = handOff(scene, early);

        assertLost(released, LossReason.GONE);
        if (early) {
            assertLost(scene.owner(), LossReason.GONE);
        }
        get(scene.next(), SOON).close();
        eventually(() -> faulty.events().lost().size() == (early ? 2 : 1));
        assertThat(faulty.events().lost()).containsOnly(LossReason.GONE);
    }

    /** The owner that took the lock over meanwhile is not affected, and the waiters wait for it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takenAway_ownersAreNotified(boolean early) {
        HandoffScene scene =
                early ? HandoffScene.warm(faulty, client, NAME, 2) : HandoffScene.cold(faulty, client, NAME, 1);
        DistributedLock others = faulty.bystander().getLock(NAME);
        // Without a message, since a waiter would react to it.
        faulty.server().command("DEL", NAME);
        Lease taken = others.acquire();

        CompletableFuture<?> released = handOff(scene, early);

        assertLost(released, LossReason.TAKEN);
        if (early) {
            assertLost(scene.owner(), LossReason.TAKEN);
        }
        assertThat(scene.inRedis()).isEqualTo(taken.toString());
        assertThat(scene.next()).isNotDone();
        taken.close();
        get(scene.next(), SOON).close();
    }

    /** If a whole chain of handoffs finds the lock gone, each of its owners learns of the loss, once. */
    @Test
    void keyDeleted_allOwnersAreNotified() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 5);
        faulty.commandConnection().holdRequests();
        List<CompletableFuture<?>> releases = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            releases.add(scene.handOff());
        }
        faulty.server().command("DEL", NAME);
        faulty.proxy().releaseRequests();

        releases.forEach(released -> assertLost(released, LossReason.GONE));
        assertLost(scene.owner(), LossReason.GONE);
        get(scene.next(), SOON).close();
        eventually(() -> faulty.events().lost().size() == 5);
        assertThat(faulty.events().lost()).containsOnly(LossReason.GONE);
    }

    /** If a holder from before the first waiter loses the lock, that waiter does not wait for the end of its lease. */
    @Test
    void firstOwner_loses_nextOneTries() {
        Lease first = client.getLock(NAME).acquire();
        CompletableFuture<Lease> next = client.getLock(NAME).acquireAsync();
        eventually(() -> client.getLock(NAME).inspect().listeners().orElse(0) == 1);
        faulty.server().command("DEL", NAME);

        assertThatThrownBy(() -> first.extend(LONG)).isInstanceOf(LeaseLostException.class);

        get(next, SOON).close();
    }

    /** If the key has another type, all fail: there is no owner, and no call hangs. */
    @Test
    void keyReplaced_allOwnersAreNotified() {
        HandoffScene scene = HandoffScene.warm(faulty, faulty.client(), NAME, 2);
        faulty.server().command("DEL", NAME);
        faulty.server().command("SET", NAME, "not a lock");

        // The next owner must start before the reply shows that it has nothing.
        faulty.proxy().delay(Direction.REPLIES, Duration.ofMillis(100));
        CompletableFuture<?> released = scene.handOff();
        faulty.proxy().heal();

        assertThatThrownBy(() -> get(released))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("is a string");
        assertThat(get(scene.owner().lost().toCompletableFuture(), SOON).reason())
                .isEqualTo(LossReason.REFUSED);
        assertThatThrownBy(() -> get(scene.next(), SOON))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("is a string");
        faulty.server().command("DEL", NAME);
        assertThatThrownBy(scene.owner()::close).isInstanceOf(LeaseLostException.class);
    }

    /** Makes the owner release; if the next owner starts early, it does so before its loss can be known. */
    private CompletableFuture<?> handOff(HandoffScene scene, boolean early) {
        if (!early) {
            return scene.owner().releaseAsync();
        }
        faulty.commandConnection().blackHole(Direction.REPLIES);
        CompletableFuture<?> released = scene.handOff();
        faulty.proxy().heal();
        return released;
    }

    /**
     * The loss of an owner that started early, without a reply, counts from the last confirmation of the hold before
     * it.
     */
    @Test
    void unconfirmed_countsFromTheHoldBefore() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 2);
        faulty.server().command("DEL", NAME);
        long held = System.nanoTime();
        eventually(() -> since(held).toMillis() >= 100);

        CompletableFuture<?> released = handOff(scene, true);

        LeaseLoss loss = get(scene.owner().lost().toCompletableFuture(), SOON);
        assertThat(loss.sinceConfirmed()).isGreaterThan(loss.held().plusMillis(90));
        assertLost(released, LossReason.GONE);
        assertLost(scene.owner(), LossReason.GONE);
        get(scene.next(), SOON).close();
    }

    private static void assertLost(CompletableFuture<?> release, LossReason reason) {
        assertThatThrownBy(() -> get(release, SOON))
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(reason));
    }

    private static void assertLost(Lease lease, LossReason reason) {
        assertThat(get(lease.lost().toCompletableFuture(), SOON).reason()).isEqualTo(reason);
        assertThat(lease.isValid()).isFalse();
        assertLost(lease.releaseAsync(), reason);
    }
}
