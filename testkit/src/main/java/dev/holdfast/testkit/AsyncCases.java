package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Owners with ids of their own: the same lock, without waiting threads. */
interface AsyncCases extends ContractCases {
    private AsyncOwner ownerHere() {
        return first().newOwner(stage().name());
    }

    private AsyncOwner ownerThere() {
        return second().newOwner(stage().name());
    }

    /** Returns once there is a waiter for the lock in this client. */
    private <T> CompletableFuture<T> waiting(LockClient client, CompletableFuture<T> outcome) {
        stage().await().until(() -> outcome.isDone() || client.isAwaited(stage().name()));
        assertThat(outcome).as("outcome of a call that must wait").isNotDone();
        return outcome;
    }

    /** Two owners exclude each other, in one client and in two, and each acquires the lock. */
    @Test
    default void lockAsync_twoOwners() {
        AsyncOwner holder = ownerHere();
        for (LockClient client : List.of(first(), second())) {
            AsyncOwner other = client.newOwner(stage().name());
            stage().outcomeOf(holder.lock());
            assertThat(stage().outcomeOf(other.tryLock(Duration.ZERO))).isFalse();
            CompletableFuture<Void> waiting = waiting(client, other.lock());
            stage().outcomeOf(holder.unlock());
            stage().outcomeOf(waiting);
            assertThat(stage().outcomeOf(holder.tryLock(Duration.ZERO))).isFalse();
            stage().outcomeOf(other.unlock());
        }
    }

    /** Threads and other owners exclude each other, and wake each other. */
    @Test
    default void lockAsync_amongThreads() {
        AsyncOwner owner = ownerHere();
        for (Actor thread : List.of(here(), there())) {
            thread.does(thread.lock()::lock);
            CompletableFuture<Void> ownerWaits = waiting(first(), owner.lock());
            thread.does(thread.lock()::unlock);
            stage().outcomeOf(ownerWaits);
            assertThat(thread.isHolder()).isFalse();
            CompletableFuture<@Nullable Void> threadWaits = thread.waitsIn(thread.lock()::lock);
            stage().outcomeOf(owner.unlock());
            stage().outcomeOf(threadWaits);
            thread.does(thread.lock()::unlock);
        }
    }

    /** An owner may lock again, and holds until it has unlocked as often. */
    @Test
    default void lockAsync_reentry() {
        AsyncOwner owner = ownerHere();
        Actor remote = there();
        stage().outcomeOf(owner.lock());
        assertThat(stage().outcomeOf(owner.tryLock(Duration.ZERO))).isTrue();
        stage().outcomeOf(owner.unlock());
        assertThat(remote.does(() -> remote.lock().tryLock())).isFalse();
        stage().outcomeOf(owner.unlock());
        assertThat(remote.does(() -> remote.lock().tryLock())).isTrue();
        remote.does(remote.lock()::unlock);
    }

    /** A wait for a lock that stays busy ends without it, and not before its time. */
    @Test
    default void tryLockAsync_busy() {
        AsyncOwner holder = ownerHere();
        stage().outcomeOf(holder.lock());
        List<CompletableFuture<Duration>> waiting = Stream.of(ownerHere(), ownerThere())
                .map(AsyncCases::waitsInVain)
                .toList();
        assertThat(waiting).allSatisfy(waited -> assertThat(stage().outcomeOf(waited))
                .isGreaterThanOrEqualTo(Duration.ofMillis(600)));
        stage().outcomeOf(holder.unlock());
    }

    private static CompletableFuture<Duration> waitsInVain(AsyncOwner owner) {
        long start = System.nanoTime();
        return owner.tryLock(Duration.ofMillis(600)).thenApply(acquired -> {
            assertThat(acquired).isFalse();
            return Duration.ofNanos(System.nanoTime() - start);
        });
    }

    /** A wait for a lock that is released in time acquires it. */
    @Test
    default void tryLockAsync_freedInTime() {
        AsyncOwner holder = ownerHere();
        for (LockClient client : List.of(first(), second())) {
            AsyncOwner other = client.newOwner(stage().name());
            stage().outcomeOf(holder.lock());
            CompletableFuture<Boolean> waiting = waiting(client, other.tryLock(Duration.ofMinutes(1)));
            stage().outcomeOf(holder.unlock());
            assertThat(stage().outcomeOf(waiting)).isTrue();
            stage().outcomeOf(other.unlock());
        }
    }

    /** An owner without a hold cannot release: neither a free lock, nor another owner's, nor once too often. */
    @Test
    default void unlockAsync_byNonHolder() {
        AsyncOwner holder = ownerHere();
        AsyncOwner other = ownerThere();
        assertThatThrownBy(() -> stage().outcomeOf(other.unlock())).isInstanceOf(IllegalMonitorStateException.class);
        stage().outcomeOf(holder.lock());
        assertThatThrownBy(() -> stage().outcomeOf(other.unlock())).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(stage().outcomeOf(other.tryLock(Duration.ZERO))).isFalse();
        stage().outcomeOf(holder.unlock());
        assertThatThrownBy(() -> stage().outcomeOf(holder.unlock())).isInstanceOf(IllegalMonitorStateException.class);
    }

    /** A cancelled wait never gets the lock, and the next waiter does. */
    @Test
    default void lockAsync_cancelledWhileWaiting() {
        Actor holder = here();
        for (LockClient client : List.of(first(), second())) {
            AsyncOwner leaver = client.newOwner(stage().name());
            Actor stayer = there();
            holder.does(holder.lock()::lock);
            CompletableFuture<Void> leaving = waiting(client, leaver.lock());
            CompletableFuture<@Nullable Void> staying = stayer.waitsIn(stayer.lock()::lock);
            assertThat(leaving.cancel(false)).isTrue();
            holder.does(holder.lock()::unlock);
            stage().outcomeOf(staying);
            stayer.does(stayer.lock()::unlock);
            assertThatThrownBy(() -> stage().outcomeOf(leaver.unlock()))
                    .isInstanceOf(IllegalMonitorStateException.class);
            stage().awaitNothingLeft();
        }
    }

    /**
     * A wait that is cancelled during a release either has the lock or never gets it; the next waiter is not left
     * waiting.
     */
    @Test
    default void lockAsync_cancelledWhileReleased() {
        Actor holder = here();
        Actor stayer = there();
        AsyncOwner leaver = ownerThere();
        for (int race = 0; race < WakeUpCases.RACES; race++) {
            holder.does(holder.lock()::lock);
            CompletableFuture<Void> leaving = waiting(second(), leaver.lock());
            CompletableFuture<@Nullable Void> staying = stayer.waitsIn(stayer.lock()::lock);
            CompletableFuture<@Nullable Void> releasing = holder.begins(holder.lock()::unlock);
            if (!leaving.cancel(false)) {
                stage().outcomeOf(leaver.unlock());
            }
            stage().outcomeOf(releasing);
            stage().outcomeOf(staying);
            stayer.does(stayer.lock()::unlock);
        }
    }

    /** Hundreds of owners wait for hundreds of locks at once, and each gets its own. */
    @Test
    default void lockAsync_waitersOnManyNames() {
        List<String> names = Stream.generate(Stage::newName).limit(300).toList();
        List<AsyncOwner> holders = names.stream().map(first()::newOwner).toList();
        List<AsyncOwner> waiters = names.stream().map(second()::newOwner).toList();
        List<CompletableFuture<Void>> held =
                holders.stream().map(AsyncOwner::lock).toList();
        held.forEach(stage()::outcomeOf);
        List<CompletableFuture<Void>> waiting =
                waiters.stream().map(AsyncOwner::lock).toList();
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        List<CompletableFuture<Void>> released = new ArrayList<>();
        holders.forEach(holder -> released.add(holder.unlock()));
        released.forEach(stage()::outcomeOf);
        waiting.forEach(stage()::outcomeOf);
        List<CompletableFuture<Void>> unlocked =
                waiters.stream().map(AsyncOwner::unlock).toList();
        unlocked.forEach(stage()::outcomeOf);
    }
}
