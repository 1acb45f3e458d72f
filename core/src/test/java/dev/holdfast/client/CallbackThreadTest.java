package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which thread runs the dependent actions of a future, and which calls are rejected on the driver's threads. */
@Tag("client")
final class CallbackThreadTest {
    private static final String OURS = "test-callback";

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, OURS));
    private final TurnedClock clock = new TurnedClock();
    private final Holdfast client = redis.client(builder -> clock.turns(builder).callbackExecutor(executor));
    private final DistributedLock lock = client.getLock(redis.name());

    @AfterEach
    void endCallbacks() {
        client.close();
        executor.shutdown();
    }

    /**
     * {@return the name of the thread that a continuation runs on: the caller's own if the future was complete before
     * it was attached}
     */
    private static String threadOf(Call call) {
        return Patience.get(
                call.begin().handle((value, failure) -> Thread.currentThread().getName()));
    }

    private interface Call {
        CompletableFuture<?> begin();
    }

    /**
     * Every future completes on the callback executor: acquires, failures, releases and inspections, at once or later.
     */
    @Test
    void continuation_runsOnTheExecutor() {
        OwnedLock owned = lock.ownedBy(client.newOwnerId());
        OwnedLock other = lock.ownedBy(client.newOwnerId());
        String self = Thread.currentThread().getName();
        List<Call> calls = List.of(
                owned::lockAsync,
                other::tryLockAsync,
                () -> other.tryLockAsync(Duration.ofMillis(30)),
                lock::inspectAsync,
                lock::isLockedAsync,
                lock::remainingLeaseAsync,
                other::unlockAsync,
                owned::unlockAsync,
                lock::forceUnlockAsync);
        assertThat(calls).allSatisfy(call -> assertThat(threadOf(call)).isIn(OURS, self));
    }

    /** A grant after a wait completes on the callback executor, not on the thread that received the message. */
    @Test
    void continuation_afterAWait() {
        Lease holder = redis.lock().acquire();
        CompletableFuture<String> thread = new CompletableFuture<>();
        CompletableFuture<?> released = lock.acquireAsync().thenCompose(lease -> {
            thread.complete(Thread.currentThread().getName());
            return lease.releaseAsync();
        });
        Patience.await().until(() -> client.stats().waiters() == 1);
        holder.close();
        assertThat(Patience.get(thread)).isEqualTo(OURS);
        Patience.get(released);
    }

    /** The loss of a lease is published on the callback executor, not on the timer's thread. */
    @Test
    void lost_onTheExecutor() {
        Lease lease = lock.acquire(TurnedClock.WATCHDOG);
        CompletableFuture<String> thread = new CompletableFuture<>();
        lease.lost().thenRun(() -> thread.complete(Thread.currentThread().getName()));
        clock.advance(TurnedClock.WATCHDOG);
        assertThat(Patience.get(thread)).isEqualTo(OURS);
        redis.deleteKeys();
    }

    /** Without a configured executor, continuations run neither on the driver's threads nor on the timer's. */
    @Test
    void continuation_byDefault() {
        Lease holder = redis.rival().getLock(redis.name()).acquire();
        CompletableFuture<String> thread = new CompletableFuture<>();
        CompletableFuture<?> released = redis.lock().acquireAsync().thenCompose(lease -> {
            thread.complete(Thread.currentThread().getName());
            return lease.releaseAsync();
        });
        Patience.await().until(() -> redis.client().stats().waiters() == 1);
        holder.close();
        assertThat(Patience.get(thread)).doesNotContain("lettuce", "holdfast");
        Patience.get(released);
    }

    /** A blocking call on the driver's I/O thread throws instead of deadlocking; its lock and its client still work. */
    @Test
    @SuppressWarnings("CheckReturnValue") // each call throws
    void blockingCall_onIoThread() {
        Holdfast direct = redis.client(builder -> builder.callbackExecutor(Runnable::run));
        DistributedLock lock = direct.getLock(redis.name());
        Lease holder = redis.lock().acquire();
        CompletableFuture<List<ThrowingCallable>> onIoThread = lock.acquireAsync()
                .thenApply(lease -> {
                    List<ThrowingCallable> blocking = List.of(
                            lock::lock,
                            lock::tryLock,
                            lock::unlock,
                            lock::isLocked,
                            lock::inspect,
                            lock::forceUnlock,
                            lock::acquire,
                            lease::close,
                            () -> lease.extend(Duration.ofMinutes(1)),
                            direct::close);
                    assertThat(blocking).allSatisfy(call -> assertThatThrownBy(call)
                            .isExactlyInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(Thread.currentThread().getName()));
                    assertThat(lease.isValid()).isTrue();
                    assertThat(lease.releaseAsync()).isNotNull();
                    return blocking;
                });
        Patience.await().until(() -> direct.stats().waiters() == 1);
        holder.close();
        assertThat(Patience.get(onIoThread)).isNotEmpty();
        Patience.await().until(() -> !lock.isLocked());
    }

    /**
     * A blocking call on the client's timer thread throws: on it, no lease would be renewed and no wait would end. The wait
     * ends there, since the executor runs tasks directly.
     */
    @Test
    @SuppressWarnings("CheckReturnValue") // each call throws
    void blockingCall_onTimerThread() {
        Holdfast direct = redis.client(builder -> clock.turns(builder).callbackExecutor(Runnable::run));
        DistributedLock lock = direct.getLock(redis.name());
        Lease holder = redis.lock().acquire();
        Duration wait = Duration.ofHours(1);
        CompletableFuture<Optional<Lease>> busy = lock.tryAcquireAsync(wait);
        CompletableFuture<Void> onTimerThread = busy.thenAccept(none -> {
            List<ThrowingCallable> blocking =
                    List.of(lock::lock, lock::tryLock, lock::unlock, lock::isLocked, lock::acquire);
            assertThat(blocking).allSatisfy(call -> assertThatThrownBy(call)
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(Thread.currentThread().getName()));
        });
        Patience.await().until(() -> direct.stats().waiters() == 1);
        clock.advance(wait);
        Patience.get(onTimerThread);
        holder.close();
    }

    /** A lock whose grant the executor refuses to deliver is delivered by a thread of the client. */
    @Test
    void refused_isDelivered() {
        Holdfast refusing = redis.client(builder -> builder.callbackExecutor(task -> {
            throw new RejectedExecutionException("full on purpose");
        }));
        OwnedLock owned = refusing.getLock(redis.name()).ownedBy(1);
        CompletableFuture<String> thread = new CompletableFuture<>();
        Lease holder = redis.lock().acquire();
        CompletableFuture<Void> granted = owned.lockAsync()
                .thenRun(() -> thread.complete(Thread.currentThread().getName()));
        Patience.await().until(() -> refusing.stats().waiters() == 1);
        holder.close();
        Patience.get(granted);
        assertThat(Patience.get(thread)).startsWith("lock-callback-");
        assertThat(owned.isHeld()).isTrue();
        Patience.get(owned.unlockAsync());
    }
}
