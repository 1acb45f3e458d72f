package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ownership, hold counts, and release. */
interface HoldCases extends ContractCases {
    /** A holder may lock again, and holds until it has unlocked as often; other owners are excluded until then. */
    @Test
    default void lock_reentry() {
        Actor holder = here();
        Actor neighbour = here();
        Actor remote = there();
        for (int holds = 1; holds <= 3; holds++) {
            holder.does(holder.lock()::lock);
            assertThat(holder.holdCount()).isEqualTo(holds);
        }
        for (int holds = 2; holds >= 0; holds--) {
            assertThat(neighbour.does(() -> neighbour.lock().tryLock())).isFalse();
            assertThat(remote.does(() -> remote.lock().tryLock())).isFalse();
            holder.does(holder.lock()::unlock);
            assertThat(holder.holdCount()).isEqualTo(holds);
        }
        assertThat(remote.does(() -> remote.lock().tryLock())).isTrue();
        remote.does(remote.lock()::unlock);
    }

    /** A holder may re-enter by every method, each counts, and none has to wait. */
    @Test
    default void lock_reentryEveryWayIn() {
        Actor holder = there();
        holder.does(holder.lock()::lock);
        holder.does(holder.lock()::lockInterruptibly);
        assertThat(holder.does(() -> holder.lock().tryLock())).isTrue();
        assertThat(holder.does(() -> holder.lock().tryLock(0, TimeUnit.SECONDS)))
                .isTrue();
        assertThat(holder.holdCount()).isEqualTo(4);
        for (int i = 0; i < 4; i++) {
            holder.does(holder.lock()::unlock);
        }
        assertThat(holder.isHolder()).isFalse();
    }

    /** A re-entry does not queue behind waiters. */
    @Test
    default void lock_reentryPastWaiters() {
        Actor holder = here();
        Actor neighbour = here();
        holder.does(holder.lock()::lock);
        CompletableFuture<@Nullable Void> waiting = neighbour.waitsIn(neighbour.lock()::lock);
        holder.does(holder.lock()::lock);
        holder.does(holder.lock()::unlock);
        assertThat(waiting).isNotDone();
        holder.does(holder.lock()::unlock);
        stage().outcomeOf(waiting);
        neighbour.does(neighbour.lock()::unlock);
    }

    /** Only the holder is reported to hold the lock. */
    @Test
    default void isHeldByCurrentThread_onlyByHolder() {
        Actor holder = here();
        Actor neighbour = here();
        Actor remote = there();
        assertThat(holder.isHolder()).isFalse();
        holder.does(holder.lock()::lock);
        assertThat(holder.isHolder()).isTrue();
        assertThat(neighbour.isHolder()).isFalse();
        assertThat(neighbour.holdCount()).isZero();
        assertThat(remote.isHolder()).isFalse();
        assertThat(remote.holdCount()).isZero();
        holder.does(holder.lock()::unlock);
        assertThat(holder.isHolder()).isFalse();
        assertThat(holder.holdCount()).isZero();
    }

    /** Two lock objects of one name are one lock. */
    @Test
    default void unlock_throughAnotherObject() {
        Actor holder = here();
        holder.does(holder.lock()::lock);
        holder.does(first().lock(stage().name())::unlock);
        assertThat(holder.isHolder()).isFalse();
    }

    /** A thread without a hold cannot release a free lock. */
    @Test
    default void unlock_neverLocked() {
        Actor actor = here();
        assertThatThrownBy(() -> actor.does(actor.lock()::unlock)).isInstanceOf(IllegalMonitorStateException.class);
    }

    /** A thread without a hold cannot release another's, and the attempt changes nothing. */
    @Test
    default void unlock_byNonHolder() {
        Actor holder = here();
        Actor neighbour = here();
        Actor remote = there();
        holder.does(holder.lock()::lock);
        assertThatThrownBy(() -> neighbour.does(neighbour.lock()::unlock))
                .isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(() -> remote.does(remote.lock()::unlock)).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(remote.does(() -> remote.lock().tryLock())).isFalse();
        holder.does(holder.lock()::unlock);
    }

    /** A holder that unlocks more often than it locked gets an exception, and others can still lock. */
    @Test
    default void unlock_moreThanHeld() {
        Actor holder = here();
        Actor remote = there();
        holder.does(holder.lock()::lock);
        holder.does(holder.lock()::unlock);
        assertThatThrownBy(() -> holder.does(holder.lock()::unlock)).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(remote.does(() -> remote.lock().tryLock())).isTrue();
        remote.does(remote.lock()::unlock);
    }

    /** A thread without the lock signals nobody: the lock refuses that, or has no conditions. */
    @Test
    default void signal_notHeld() {
        assertThatThrownBy(() -> first().lock(stage().name()).newCondition().signal())
                .isInstanceOfAny(IllegalMonitorStateException.class, UnsupportedOperationException.class);
    }
}
