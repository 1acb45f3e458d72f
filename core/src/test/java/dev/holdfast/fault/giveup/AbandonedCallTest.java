package dev.holdfast.fault.giveup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.RecordingListener;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A caller that gives up gets no lock, whenever it does; a grant that Redis had made by then is released. */
@Tag("fault")
final class AbandonedCallTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    @AutoClose
    private final FaultProxy proxy = FaultProxy.inFrontOf(redis.server());

    private final RecordingListener listener = new RecordingListener();

    @AutoClose
    private final Holdfast client =
            redis.connect(builder -> builder.redisUri(proxy.uri()).addListener(listener));

    private final DistributedLock lock = client.getLock(redis.name());

    static List<Consumer<CompletableFuture<?>>> waysOut() {
        return List.of(
                future -> future.cancel(true),
                future -> future.completeExceptionally(new IllegalStateException("enough")),
                future -> future.obtrudeException(new IllegalStateException("enough")),
                future -> assertThat(future.orTimeout(1, TimeUnit.MILLISECONDS))
                        .failsWithin(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    /** A lock that Redis granted while its caller gave up, with the reply still in flight, is released. */
    @ParameterizedTest
    @MethodSource("waysOut")
    void abandoned_replyInFlight(Consumer<CompletableFuture<?>> giveUp) {
        proxy.blackHole(Direction.REPLIES);
        CompletableFuture<?> locking = lock.ownedBy(client.newOwnerId()).lockAsync();
        Patience.await().until(() -> redis.lock().isLocked());
        giveUp.accept(locking);
        proxy.heal();
        Patience.await().until(() -> !redis.lock().isLocked());
        listener.awaitLast("orphan released");
        assertThat(client.stats().holds()).isZero();
    }

    /**
     * A waiter that gave up has left the queue: the lock is free after its release. If its attempt is under way by then, or its
     * place in line is granted the lock before that is withdrawn, the lock is released again at once, and no lease is waited for.
     */
    @ParameterizedTest
    @MethodSource("waysOut")
    void abandoned_whileWaiting(Consumer<CompletableFuture<?>> giveUp) {
        Lease holder = redis.lock().acquire();
        CompletableFuture<?> waiting = lock.acquireAsync();
        Patience.await().until(() -> client.stats().waiters() == 1);
        giveUp.accept(waiting);
        Patience.await().until(() -> client.stats().waiters() == 0);
        holder.close();
        Patience.await().until(() -> !redis.lock().isLocked());
        assertThat(client.stats().acquired()).isZero();
    }

    /** A future that its caller completed as if it had been granted does not hold the lock either. */
    @Test
    void completedByItsOwner() {
        proxy.blackHole(Direction.REPLIES);
        CompletableFuture<Boolean> locking = lock.tryLockAsync();
        Patience.await().until(() -> redis.lock().isLocked());
        assertThat(locking.complete(true)).isTrue();
        proxy.heal();
        Patience.await().until(() -> !redis.lock().isLocked());
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    /** A grant that is queued at the callback executor when its caller gives up is released. */
    @Test
    void abandoned_beforeDelivery() {
        LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        Holdfast slow = redis.client(builder -> builder.callbackExecutor(tasks::add));
        OwnedLock owned = slow.getLock(redis.name()).ownedBy(slow.newOwnerId());
        CompletableFuture<?> locking = owned.lockAsync();
        Patience.await().until(() -> !tasks.isEmpty());
        assertThat(redis.lock().isLocked()).isTrue();
        assertThat(locking.cancel(false)).isTrue();
        tasks.forEach(Runnable::run);
        Patience.await().until(() -> !redis.lock().isLocked());
        assertThat(owned.isHeld()).isFalse();
    }

    /** A re-entry whose caller gave up removes its one level and leaves the owner's other levels. */
    @Test
    void abandoned_reentry() {
        OwnedLock owned = lock.ownedBy(client.newOwnerId());
        Patience.get(owned.lockAsync());
        proxy.blackHole(Direction.REPLIES);
        CompletableFuture<?> reentry = owned.lockAsync();
        Patience.await().until(() -> redis.lock().inspect().holdCount() == 2);
        assertThat(reentry.cancel(false)).isTrue();
        proxy.heal();
        Patience.await().until(() -> redis.lock().inspect().holdCount() == 1);
        assertThat(owned.getHoldCount()).isEqualTo(1);
        Patience.get(owned.unlockAsync());
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** An interrupt during the round trip ends the call, and what Redis has granted is released. */
    @Test
    void interrupted_duringTheRoundTrip() {
        List<Worker.Deed> ways = List.of(
                lock::lockInterruptibly,
                () -> lock.lockInterruptibly(Duration.ofMinutes(1)),
                () -> assertThat(lock.tryLock(Duration.ofMinutes(1))).isTrue(),
                () -> assertThat(lock.tryAcquire(Duration.ofMinutes(1))).isPresent());
        assertThat(ways).allSatisfy(way -> {
            Worker caller = redis.worker();
            proxy.blackHole(Direction.REPLIES);
            CompletableFuture<?> locking = caller.begins(way);
            Patience.await().until(() -> redis.lock().isLocked());
            caller.thread().interrupt();
            assertThatThrownBy(() -> Patience.get(locking)).hasCauseInstanceOf(InterruptedException.class);
            proxy.heal();
            Patience.await().until(() -> !redis.lock().isLocked());
            assertThat(caller.does(lock::isHeldByCurrentThread)).isFalse();
        });
    }

    /** Two interrupts do not end an uninterruptible acquire; the interrupt flag is set when it returns. */
    @Test
    void interrupted_twice_uninterruptibly() {
        Lease holder = redis.lock().acquire();
        Worker caller = redis.worker();
        CompletableFuture<Boolean> locking = caller.begins(() -> {
            lock.lock();
            try {
                return Thread.currentThread().isInterrupted();
            } finally {
                lock.unlock();
            }
        });
        Patience.await().until(() -> client.stats().waiters() == 1);
        Stream.of(1, 2).forEach(interrupt -> {
            caller.thread().interrupt();
            Patience.await().until(() -> !caller.thread().isInterrupted());
        });
        assertThat(locking).isNotDone();
        holder.close();
        assertThat(Patience.get(locking)).isTrue();
    }
}
