package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The effect of an interrupt on each way of locking, and that it leaves nothing behind. */
interface InterruptionCases extends ContractCases {
    /** A way of locking that an interrupt ends. */
    interface Interruptible {
        void lock(Lock lock) throws InterruptedException;
    }

    /** The ways of locking that an interrupt ends. */
    List<Interruptible> INTERRUPTIBLE = List.of(Lock::lockInterruptibly, lock -> lock.tryLock(1, TimeUnit.MINUTES));

    /** A thread that is interrupted already acquires the lock uninterruptibly, and stays interrupted. */
    @Test
    default void lock_interruptedBefore() {
        Actor actor = here();
        for (Actor.Deed way :
                List.<Actor.Deed>of(actor.lock()::lock, () -> actor.lock().tryLock())) {
            boolean stillInterrupted = actor.does(() -> {
                Thread.currentThread().interrupt();
                way.act();
                return Thread.interrupted();
            });
            assertThat(stillInterrupted).isTrue();
            assertThat(actor.isHolder()).isTrue();
            actor.does(actor.lock()::unlock);
        }
    }

    /** An uninterruptible wait continues however often the thread is interrupted, and the flag is set in the end. */
    @Test
    default void lock_interruptedWhileWaiting() {
        Actor holder = here();
        holder.does(holder.lock()::lock);
        Actor neighbour = here();
        Actor remote = there();
        List<CompletableFuture<Boolean>> waiting =
                List.of(waitsUninterruptibly(neighbour), waitsUninterruptibly(remote));
        for (Actor waiter : List.of(neighbour, remote, neighbour, remote)) {
            waiter.interrupt();
            assertThat(holder.isHolder()).isTrue();
        }
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        holder.does(holder.lock()::unlock);
        waiting.forEach(future ->
                assertThat(stage().outcomeOf(future)).as("interrupt flag").isTrue());
    }

    private static CompletableFuture<Boolean> waitsUninterruptibly(Actor waiter) {
        return waiter.waitsIn(() -> {
            waiter.lock().lock();
            try {
                return Thread.interrupted();
            } finally {
                waiter.lock().unlock();
            }
        });
    }

    /** An interrupted thread can release its hold, and stays interrupted. */
    @Test
    default void unlock_interrupted() {
        Actor holder = here();
        holder.does(holder.lock()::lock);
        boolean stillInterrupted = holder.does(() -> {
            Thread.currentThread().interrupt();
            holder.lock().unlock();
            return Thread.interrupted();
        });
        assertThat(stillInterrupted).isTrue();
        assertThat(holder.isHolder()).isFalse();
        Actor remote = there();
        assertThat(remote.does(() -> remote.lock().tryLock())).isTrue();
        remote.does(remote.lock()::unlock);
    }

    /** A thread that is interrupted already cannot acquire the lock interruptibly, not even a free one. */
    @Test
    default void lockInterruptibly_interruptedBefore() {
        Actor actor = here();
        for (Interruptible way : INTERRUPTIBLE) {
            Throwable failure = actor.does(() -> {
                Thread.currentThread().interrupt();
                return failureOf(way, actor.lock());
            });
            assertThat(failure).isInstanceOf(InterruptedException.class);
            assertThat(actor.does(Thread::interrupted)).as("interrupt flag").isFalse();
            assertThat(actor.isHolder()).isFalse();
        }
        Actor remote = there();
        assertThat(remote.does(() -> remote.lock().tryLock())).isTrue();
        remote.does(remote.lock()::unlock);
    }

    private static @Nullable Throwable failureOf(Interruptible way, Lock lock) {
        try {
            way.lock(lock);
            return null;
        } catch (InterruptedException e) {
            return e;
        }
    }

    /** An interrupt ends the wait at once, without the lock, and does not affect the holder. */
    @Test
    default void lockInterruptibly_interruptedWhileWaiting() {
        Actor holder = here();
        holder.does(holder.lock()::lock);
        for (Interruptible way : INTERRUPTIBLE) {
            for (Actor waiter : List.of(here(), there())) {
                CompletableFuture<@Nullable Void> waiting = waiter.waitsIn(() -> way.lock(waiter.lock()));
                waiter.interrupt();
                assertThatThrownBy(() -> waiting.get(stage().timeout().toMillis(), TimeUnit.MILLISECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(InterruptedException.class);
                assertThat(waiter.does(Thread::interrupted))
                        .as("interrupt flag")
                        .isFalse();
                assertThat(waiter.isHolder()).isFalse();
                assertThat(holder.isHolder()).isTrue();
            }
        }
        holder.does(holder.lock()::unlock);
        awaitFree();
    }

    /** The release may cross the message that the waiter of another client has left: its client passes the lock on then. */
    private void awaitFree() {
        Actor remote = there();
        assertThat(remote.does(() -> remote.lock().tryLock(stage().timeout().toMillis(), TimeUnit.MILLISECONDS)))
                .isTrue();
        remote.does(remote.lock()::unlock);
    }
}
