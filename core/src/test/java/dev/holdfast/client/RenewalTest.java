package dev.holdfast.client;

import static dev.holdfast.TurnedClock.RENEWAL;
import static dev.holdfast.TurnedClock.WATCHDOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A watched hold is renewed for as long as it has a holder, and no longer. */
@Tag("client")
final class RenewalTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final TurnedClock clock = new TurnedClock();
    private final Holdfast client = redis.client(clock::turns);
    private final DistributedLock lock = client.getLock(redis.name());

    /** A hold outlives its lease by renewals, however many. */
    @Test
    void watched_outlivesItsLease() {
        Lease lease = lock.acquire();
        for (int i = 0; i < 4; i++) {
            assertThat(redis.server().command("PEXPIRE", redis.name(), "10000")).isEqualTo(1L);
            clock.renew(client, 1);
            assertThat(lock.remainingLease())
                    .hasValueSatisfying(left -> assertThat(left).isGreaterThan(RENEWAL));
        }
        assertThat(lease.isValid()).isTrue();
        lease.close();
    }

    /** A hold with an explicit lease is not renewed, not even next to one that is. */
    @Test
    void explicit_isNotRenewed() {
        Lease watched = client.getLock(redis.name() + " watched").acquire();
        Lease explicit = lock.acquire(RENEWAL.plusSeconds(5));
        clock.renew(client, 1);
        assertThat(explicit.isValid()).isTrue();
        clock.renew(client, 1);
        assertThat(Patience.get(explicit.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(watched.isValid()).isTrue();
        watched.close();
        assertThat(lock.remainingLease().orElse(Duration.ZERO)).isLessThanOrEqualTo(RENEWAL.plusSeconds(5));
        redis.deleteKeys();
    }

    /** Holds that are released at once cost no renewal, and nothing of them is kept or scheduled. */
    @Test
    void shortHolds_leaveNothing() {
        for (int i = 0; i < 300; i++) {
            lock.acquire().close();
        }
        assertThat(SharedRedis.residueOf(client)).isEmpty();
        Lease marker = client.getLock(redis.name() + " marker").acquire();
        clock.renew(client, 2);
        assertThat(client.stats().renewals()).as("only the marker's").isEqualTo(2);
        marker.close();
    }

    /** A release that is not awaited ends the renewal as well: the lock is not renewed without a holder. */
    @Test
    void asyncHolds_leaveNothing() {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            OwnedLock owned = lock.ownedBy(client.newOwnerId());
            all.add(owned.lockAsync().thenCompose(held -> owned.unlockAsync()));
        }
        all.forEach(Patience::get);
        assertThat(lock.isLocked()).isFalse();
        assertThat(client.stats().holds()).isZero();
    }

    /** The hold of a thread that died is not renewed: the lock expires, and the next waiter gets it. */
    @Test
    void deadThread_runsOut() throws InterruptedException {
        Holdfast brisk = redis.briskClient();
        Worker owner = redis.worker();
        owner.does(() -> brisk.getLock(redis.name()).lock());
        owner.dies();
        assertThat(redis.rival().getLock(redis.name()).tryLock(Patience.LIMIT)).isTrue();
        redis.rival().getLock(redis.name()).unlock();
        Patience.await().until(() -> brisk.stats().lost() == 1);
    }

    /** The death of a thread that locked for another owner does not end the hold. */
    @Test
    void deadThread_ofAsyncHold() throws InterruptedException {
        Worker caller = redis.worker();
        OwnedLock owned = lock.ownedBy(client.newOwnerId());
        caller.does(() -> Patience.get(owned.lockAsync()));
        caller.dies();
        clock.renew(client, 4);
        assertThat(owned.isHeld()).isTrue();
        Patience.get(owned.unlockAsync());
    }

    /**
     * Nor does its death end a hold that it acquired by an async call for itself: any other thread may unlock that by
     * its id.
     */
    @Test
    void deadThread_ofItsOwnAsyncHold() throws InterruptedException {
        Worker caller = redis.worker();
        caller.does(() -> Patience.get(lock.lockAsync()));
        caller.dies();
        clock.renew(client, 4);
        OwnedLock owned = lock.ownedBy(caller.thread().getId());
        assertThat(owned.isHeld()).isTrue();
        Patience.get(owned.unlockAsync());
        assertThat(lock.isLocked()).isFalse();
    }

    /** Such a hold is renewed until {@code maxHold} at the latest, if that is set. */
    @Test
    void deadThread_ofAsyncHold_maxHold() throws InterruptedException {
        Holdfast limited = redis.client(builder -> SharedRedis.brisk(builder).maxHold(SharedRedis.BRISK));
        Worker caller = redis.worker();
        caller.does(() -> Patience.get(limited.getLock(redis.name()).lockAsync()));
        caller.dies();
        assertThat(redis.rival().getLock(redis.name()).tryLock(Patience.LIMIT)).isTrue();
        redis.rival().getLock(redis.name()).unlock();
        OwnedLock owned = limited.getLock(redis.name()).ownedBy(caller.thread().getId());
        assertThatThrownBy(() -> Patience.get(owned.unlockAsync())).isInstanceOf(LeaseLostException.class);
    }

    /** And until the client is closed. */
    @Test
    void deadThread_ofAsyncHold_close() throws InterruptedException {
        Holdfast closed = redis.connect(SharedRedis::brisk);
        Worker caller = redis.worker();
        caller.does(() -> Patience.get(closed.getLock(redis.name()).lockAsync()));
        caller.dies();
        closed.close();
        assertThat(redis.rival().getLock(redis.name()).tryLock(Patience.LIMIT)).isTrue();
        redis.rival().getLock(redis.name()).unlock();
    }

    /** A lease that was dropped without being closed is not renewed once it is garbage collected: the lock expires. */
    @Test
    void droppedLease_runsOut() {
        drop(redis.briskClient().getLock(redis.name()));
        Patience.await().pollInterval(Duration.ofMillis(20)).until(() -> {
            System.gc();
            return !lock.isLocked();
        });
    }

    @SuppressWarnings("CheckReturnValue") // dropped on purpose
    private static void drop(DistributedLock lock) {
        Lease dropped = lock.acquire();
        assertThat(dropped.isValid()).isTrue();
    }

    /** No hold is renewed beyond {@code maxHold}; then it is lost. */
    @Test
    void maxHold_endsRenewal() {
        Duration longest = WATCHDOG.multipliedBy(2);
        Holdfast limited = redis.client(builder -> clock.turns(builder).maxHold(longest));
        Lease lease = limited.getLock(redis.name()).acquire();
        clock.renew(limited, 5);
        clock.advance(WATCHDOG);
        LeaseLoss loss = Patience.get(lease.lost().toCompletableFuture());
        assertThat(loss.reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(loss.held()).isBetween(longest.minus(RENEWAL), longest.plus(WATCHDOG));
        assertThat(limited.stats().renewals()).isEqualTo(5);
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        redis.deleteKeys();
    }
}
