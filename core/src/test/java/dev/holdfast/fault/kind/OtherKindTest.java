package dev.holdfast.fault.kind;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LockKinds;
import dev.holdfast.OwnedLock;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Direction;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An owner has the plain or the fenced lock of one name, never both: while it holds or uses the one, a call on the
 * other is rejected without sending anything. Otherwise the second would adopt the first one's hold, and its release
 * would end it.
 */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; nothing under it fails
class OtherKindTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** A reply that a test holds back does not end the connection. */
    private final Holdfast client = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));

    private final long owner = client.newOwnerId();

    /** Every call nested in a hold is rejected; the hold is unchanged. */
    @ParameterizedTest
    @EnumSource(
            value = LockKinds.class,
            names = {"PLAIN", "FENCED"})
    void held_otherKind_isRefused(LockKinds kind) {
        DistributedLock held = kind.lock(client, NAME);
        DistributedLock other = kind.other().lock(client, NAME);
        held.lock();
        long before = faulty.proxy().commands("EVALSHA");

        assertRefused(other::lock);
        assertRefused(() -> other.lock(LONG));
        assertRefused(other::lockInterruptibly);
        assertRefused(other::tryLock);
        assertRefused(() -> other.tryLock(LONG));
        assertRefused(other::lockAsync);
        assertRefused(other::tryLockAsync);
        assertRefused(other.ownedBy(Thread.currentThread().getId())::lockAsync);
        assertThatThrownBy(other::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);

        assertThat(faulty.proxy().commands("EVALSHA")).isEqualTo(before);
        assertThat(held.isHeldByCurrentThread()).isTrue();
        assertThat(other.isHeldByCurrentThread()).isFalse();
        assertThat(faulty.bystander().getLock(NAME).tryLock()).isFalse();
        held.unlock();
        other.lock();
        assertRefused(held::lock);
        other.unlock();
    }

    /** A call is rejected while the first kind waits in the queue, and no longer after that wait was cancelled. */
    @ParameterizedTest
    @EnumSource(
            value = LockKinds.class,
            names = {"PLAIN", "FENCED"})
    void waiting_otherKind_isRefused(LockKinds kind) {
        Lease lease = faulty.bystander().getLock(NAME).acquire();
        CompletableFuture<?> waiting = first(kind).lockAsync();
        faulty.awaitWaiting(client, 1);

        assertRefused(() -> second(kind).lockAsync());

        waiting.cancel(true);
        // The attempt that follows the confirmation of the subscription may be in flight, and counts as well.
        eventually(() -> !Inside.residue(client).contains("lanes"));
        assertThat(get(second(kind).tryLockAsync())).isFalse();
        lease.close();
    }

    /**
     * A call is rejected while an acquire of the first kind is in flight, and after its cancellation until Redis has
     * released it.
     */
    @ParameterizedTest
    @EnumSource(
            value = LockKinds.class,
            names = {"PLAIN", "FENCED"})
    void underWay_otherKind_isRefused(LockKinds kind) {
        faulty.commandConnection().blackHole(Direction.REPLIES);
        CompletableFuture<?> underWay = first(kind).lockAsync();
        assertRefused(() -> second(kind).lockAsync());

        underWay.cancel(true);

        assertRefused(() -> second(kind).lockAsync());
        faulty.proxy().heal();
        eventually(() -> faulty.events().orphansReleased() == 1);
        takesAndReleases(kind);
    }

    /** A call is rejected while the release of the first kind is in flight. */
    @ParameterizedTest
    @EnumSource(
            value = LockKinds.class,
            names = {"PLAIN", "FENCED"})
    void released_otherKind_isRefusedUntilConfirmed(LockKinds kind) {
        get(first(kind).lockAsync());
        faulty.commandConnection().blackHole(Direction.REPLIES);
        CompletableFuture<?> released = first(kind).unlockAsync();

        assertRefused(() -> second(kind).lockAsync());

        faulty.proxy().heal();
        get(released);
        takesAndReleases(kind);
    }

    /** A release by handoff to another owner, which has started, is in flight until Redis has replied. */
    @ParameterizedTest
    @EnumSource(
            value = LockKinds.class,
            names = {"PLAIN", "FENCED"})
    void handedOff_otherKind_isRefusedUntilConfirmed(LockKinds kind) {
        HandoffScene.warm(faulty, client, "other", 0).owner().close();
        OwnedLock next = kind.lock(client, NAME).ownedBy(client.newOwnerId());
        get(first(kind).lockAsync());
        CompletableFuture<?> granted = next.lockAsync();
        faulty.awaitWaiting(client, 1);
        get(client.getLock("other").isLockedAsync());
        faulty.commandConnection().blackHole(Direction.REPLIES);
        CompletableFuture<?> released = first(kind).unlockAsync();

        assertRefused(() -> second(kind).lockAsync());

        faulty.proxy().heal();
        get(released);
        get(granted);
        assertThat(get(second(kind).tryLockAsync())).isFalse();
        get(next.unlockAsync());
        takesAndReleases(kind);
    }

    /** Different owners compete for the lock as its two kinds; the later one waits for the other's release. */
    @ParameterizedTest
    @EnumSource(
            value = LockKinds.class,
            names = {"PLAIN", "FENCED"})
    void differentOwners_compete(LockKinds kind) {
        OwnedLock rival = kind.other().lock(client, NAME).ownedBy(client.newOwnerId());
        get(first(kind).lockAsync());
        assertThat(get(rival.tryLockAsync())).isFalse();
        CompletableFuture<?> granted = rival.lockAsync();
        faulty.awaitWaiting(client, 1);

        get(first(kind).unlockAsync());

        get(granted);
        assertThat(first(kind).isHeld()).isFalse();
        get(rival.unlockAsync());
    }

    private OwnedLock first(LockKinds kind) {
        return kind.lock(client, NAME).ownedBy(owner);
    }

    private OwnedLock second(LockKinds kind) {
        return first(kind.other());
    }

    /** Asserts that the lock is free now. */
    private void takesAndReleases(LockKinds kind) {
        CompletableFuture<?> granted = second(kind).lockAsync();
        get(granted);
        get(second(kind).unlockAsync());
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessageContaining("an owner may use a lock as one kind at a time")
                .hasMessageContaining(NAME)
                .hasMessageContaining("plain")
                .hasMessageContaining("fenced");
    }
}
