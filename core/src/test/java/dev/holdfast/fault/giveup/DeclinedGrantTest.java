package dev.holdfast.fault.giveup;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockKinds;
import dev.holdfast.OwnedLock;
import dev.holdfast.RealTime;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A grant whose caller completes or cancels the future before the callback executor does. */
@Tag("fault")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class DeclinedGrantTest {
    private static final String NAME = "orders:42";
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration BRIEF = Duration.ofMillis(800);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final LockKinds kind;
    private final LinkedBlockingQueue<Runnable> callbacks = new LinkedBlockingQueue<>();
    private boolean stuck = true; // guarded by callbacks
    private final Holdfast observer = faulty.bystander();
    private final Holdfast client =
            faulty.client(builder -> builder.callbackExecutor(this::execute).watchdogTimeout(FaultyRedis.SHORT));

    DeclinedGrantTest(LockKinds kind) {
        this.kind = kind;
    }

    /**
     * An acquire that is cancelled before its lock is delivered leaves nothing of its lease to the owner's next one.
     */
    @RealTime
    void declined_nextHasItsOwnLease() {
        OwnedLock lock = ownedLock();
        CompletableFuture<?> declined = granted(lock, TEN_MINUTES);

        declined.cancel(true);
        CompletableFuture<?> next = lock.lockAsync(BRIEF);

        runCallbacksUntilDone(next);
        assertThat(remainingLease()).isLessThanOrEqualTo(BRIEF);
        get(kind.lock(observer, NAME).acquireAsync()).close();
        CompletableFuture<?> unlocked = lock.unlockAsync();
        runCallbacksUntil(unlocked::isDone);
        assertThatThrownBy(() -> get(unlocked)).isInstanceOf(LeaseLostException.class);
    }

    /** An acquire that is accepted keeps its lease, and the owner's next acquire re-enters the hold. */
    @RealTime
    void accepted_nextEntersIt() {
        OwnedLock lock = ownedLock();
        CompletableFuture<?> accepted = granted(lock, TEN_MINUTES);
        CompletableFuture<?> next = lock.lockAsync(BRIEF);

        runCallbacksUntilDone(next);

        get(accepted);
        assertThat(remainingLease()).isGreaterThan(TEN_MINUTES.minusMinutes(1));
        CompletableFuture<?> once = lock.unlockAsync();
        runCallbacksUntilDone(once);
        assertThat(kind.lock(observer, NAME).inspect().isLocked()).isTrue();
        runCallbacksUntilDone(lock.unlockAsync());
    }

    /** A cancelled acquire is released at once, also if the executor delivers nothing. */
    @Test
    void declined_executorIsStuck_isReleased() {
        CompletableFuture<?> declined = granted(ownedLock(), TEN_MINUTES);

        declined.cancel(true);

        get(kind.lock(observer, NAME).acquireAsync()).close();
    }

    /** Of two levels the older one, a watched one, is declined: the explicit lease of the other runs out. */
    @RealTime
    void declined_olderOfTwo_explicitLeaseRunsOut() {
        OwnedLock lock = ownedLock();
        CompletableFuture<?> watched = lock.lockAsync();
        eventually(() -> !callbacks.isEmpty());
        CompletableFuture<?> accepted = reentered(lock.lockAsync(BRIEF), 2);

        watched.cancel(true);
        runCallbacksUntilDone(accepted);

        get(kind.lock(observer, NAME).acquireAsync()).close();
        CompletableFuture<?> unlocked = lock.unlockAsync();
        runCallbacksUntil(unlocked::isDone);
        assertThatThrownBy(() -> get(unlocked)).isInstanceOf(LeaseLostException.class);
    }

    /** Two of three levels are declined, the older one first: the third keeps its explicit lease, which runs out. */
    @RealTime
    void declined_twoOfThree_explicitLeaseRunsOut() {
        OwnedLock lock = ownedLock();
        CompletableFuture<?> explicit = granted(lock, BRIEF);
        CompletableFuture<?> watched = reentered(lock.lockAsync(), 2);
        CompletableFuture<?> accepted = reentered(lock.lockAsync(BRIEF), 3);

        explicit.cancel(true);
        watched.cancel(true);
        runCallbacksUntilDone(accepted);

        get(kind.lock(observer, NAME).acquireAsync()).close();
        CompletableFuture<?> unlocked = lock.unlockAsync();
        runCallbacksUntil(unlocked::isDone);
        assertThatThrownBy(() -> get(unlocked)).isInstanceOf(LeaseLostException.class);
    }

    /** Two of three levels are declined, the older one first: the third is watched, and the hold is renewed. */
    @RealTime
    void declined_twoOfThree_watchedLeaseIsRenewed() {
        OwnedLock lock = ownedLock();
        CompletableFuture<?> watched = lock.lockAsync();
        eventually(() -> !callbacks.isEmpty());
        CompletableFuture<?> explicit = reentered(lock.lockAsync(BRIEF), 2);
        CompletableFuture<?> accepted = reentered(lock.lockAsync(), 3);

        watched.cancel(true);
        explicit.cancel(true);
        runCallbacksUntilDone(accepted);

        long renewals = client.stats().renewals();
        runCallbacksUntil(() -> client.stats().renewals() > renewals + 1);
        runCallbacksUntilDone(lock.unlockAsync());
    }

    /** A level that its owner unlocked before it is declined is not released again: the owner can acquire anew. */
    @Test
    void declined_afterItsUnlock_ownerAcquiresAnew() {
        OwnedLock lock = ownedLock();
        runCallbacksUntilDone(lock.lockAsync(TEN_MINUTES));
        CompletableFuture<?> declined = reentered(lock.lockAsync(TEN_MINUTES), 2);
        CompletableFuture<?> first = lock.unlockAsync();
        CompletableFuture<?> second = lock.unlockAsync();
        CompletableFuture<?> next = lock.lockAsync(TEN_MINUTES);

        declined.cancel(true);

        runCallbacksUntilDone(first);
        runCallbacksUntilDone(second);
        runCallbacksUntilDone(next);
        runCallbacksUntilDone(lock.unlockAsync());
    }

    private OwnedLock ownedLock() {
        return kind.lock(client, NAME).ownedBy(client.newOwnerId());
    }

    /** {@return the future of an acquire that was granted, and is not delivered} */
    private CompletableFuture<?> granted(OwnedLock lock, Duration lease) {
        CompletableFuture<?> future = lock.lockAsync(lease);
        eventually(() -> !callbacks.isEmpty());
        return future;
    }

    /** {@return the future, when its acquire has re-entered the hold, and is not delivered} */
    private CompletableFuture<?> reentered(CompletableFuture<?> future, int holdCount) {
        eventually(() -> kind.lock(observer, NAME).inspect().holdCount() == holdCount);
        eventually(() -> !callbacks.isEmpty());
        return future;
    }

    private void runCallbacksUntilDone(CompletableFuture<?> future) {
        runCallbacksUntil(future::isDone);
        get(future);
    }

    private void runCallbacksUntil(Callable<Boolean> state) {
        eventually(() -> {
            runCallbacks();
            return state.call();
        });
    }

    private void runCallbacks() {
        for (Runnable task = callbacks.poll(); task != null; task = callbacks.poll()) {
            task.run();
        }
    }

    /** What an executor that is stuck has accepted is run after the test. */
    @AfterEach
    void unblock() {
        synchronized (callbacks) {
            stuck = false;
        }
        runCallbacks();
    }

    private void execute(Runnable task) {
        synchronized (callbacks) {
            if (stuck) {
                callbacks.add(task);
                return;
            }
        }
        task.run();
    }

    private Duration remainingLease() {
        return kind.lock(observer, NAME).inspect().remainingLease().orElse(Duration.ZERO);
    }
}
