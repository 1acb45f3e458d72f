package dev.holdfast;

import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A grant whose caller completes or cancels the future before the callback executor does. */
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class DeclinedGrantTest {
    private static final String NAME = "orders:42";
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration BRIEF = Duration.ofMillis(800);

    @RegisterExtension
    final BadDay day = new BadDay();

    private final LockKinds kind;
    private final LinkedBlockingQueue<Runnable> callbacks = new LinkedBlockingQueue<>();

    DeclinedGrantTest(LockKinds kind) {
        this.kind = kind;
    }

    /**
     * An acquire that is cancelled before its lock is delivered leaves nothing of its lease to the owner's next one.
     */
    @Test
    void declined_nextHasItsOwnLease() {
        OwnedLock lock = ownedLock();
        CompletableFuture<?> declined = granted(lock, TEN_MINUTES);

        declined.cancel(true);
        CompletableFuture<?> next = lock.lockAsync(BRIEF);

        runCallbacksUntilDone(next);
        assertThat(remainingLease()).isLessThanOrEqualTo(BRIEF);
        get(kind.lock(day.bystander(), NAME).acquireAsync()).close();
        CompletableFuture<?> unlocked = lock.unlockAsync();
        runCallbacksUntil(unlocked::isDone);
        assertThatThrownBy(() -> get(unlocked)).isInstanceOf(LeaseLostException.class);
    }

    /** An acquire that is accepted keeps its lease, and the owner's next acquire re-enters the hold. */
    @Test
    void accepted_nextEntersIt() {
        OwnedLock lock = ownedLock();
        CompletableFuture<?> accepted = granted(lock, TEN_MINUTES);
        CompletableFuture<?> next = lock.lockAsync(BRIEF);

        runCallbacksUntilDone(next);

        get(accepted);
        assertThat(remainingLease()).isGreaterThan(TEN_MINUTES.minusMinutes(1));
        CompletableFuture<?> once = lock.unlockAsync();
        runCallbacksUntilDone(once);
        assertThat(kind.lock(day.bystander(), NAME).inspect().isLocked()).isTrue();
        runCallbacksUntilDone(lock.unlockAsync());
    }

    /** A cancelled acquire is released at once, also if the executor delivers nothing. */
    @Test
    void declined_executorIsStuck_isReleased() {
        CompletableFuture<?> declined = granted(ownedLock(), TEN_MINUTES);

        declined.cancel(true);

        get(kind.lock(day.bystander(), NAME).acquireAsync()).close();
    }

    private OwnedLock ownedLock() {
        Holdfast client = day.client(builder -> builder.callbackExecutor(callbacks::add));
        return kind.lock(client, NAME).ownedBy(client.newOwnerId());
    }

    /** {@return the future of an acquire that was granted, and is not delivered} */
    private CompletableFuture<?> granted(OwnedLock lock, Duration lease) {
        CompletableFuture<?> future = lock.lockAsync(lease);
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

    @AfterEach
    void runCallbacks() {
        for (Runnable task = callbacks.poll(); task != null; task = callbacks.poll()) {
            task.run();
        }
    }

    private Duration remainingLease() {
        return kind.lock(day.bystander(), NAME).inspect().remainingLease().orElse(Duration.ZERO);
    }
}
