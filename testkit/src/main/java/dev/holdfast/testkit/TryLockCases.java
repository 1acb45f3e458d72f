package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Acquiring a lock without a wait, or with a limited one. */
interface TryLockCases extends ContractCases {
    /** An attempt at a free lock acquires it. */
    @Test
    default void tryLock_free() {
        Actor actor = here();
        assertThat(actor.does(() -> actor.lock().tryLock())).isTrue();
        assertThat(actor.isHolder()).isTrue();
        actor.does(actor.lock()::unlock);
    }

    /** An attempt at a lock that is held returns without it while it is still held. */
    @Test
    default void tryLock_busy() {
        Actor holder = here();
        holder.does(holder.lock()::lock);
        for (Actor other : List.of(here(), there())) {
            assertThat(other.does(() -> other.lock().tryLock())).isFalse();
            assertThat(other.isHolder()).isFalse();
        }
        holder.does(holder.lock()::unlock);
    }

    /** An attempt with a zero or negative wait acquires a free lock and does not wait for a busy one. */
    @Test
    default void tryLockTimed_noTime() {
        Actor holder = here();
        Actor neighbour = here();
        Actor remote = there();
        for (long wait : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThat(holder.does(() -> holder.lock().tryLock(wait, TimeUnit.SECONDS)))
                    .isTrue();
            assertThat(neighbour.does(() -> neighbour.lock().tryLock(wait, TimeUnit.SECONDS)))
                    .isFalse();
            assertThat(remote.does(() -> remote.lock().tryLock(wait, TimeUnit.SECONDS)))
                    .isFalse();
            holder.does(holder.lock()::unlock);
        }
    }

    /** A wait for a lock that stays busy ends without it, and not before its time. */
    @Test
    default void tryLockTimed_busy() {
        Actor holder = here();
        holder.does(holder.lock()::lock);
        List<Actor> others = List.of(here(), there());
        List<CompletableFuture<Duration>> waiting =
                others.stream().map(TryLockCases::waitsInVain).toList();
        assertThat(waiting).allSatisfy(waited -> assertThat(stage().outcomeOf(waited))
                .isGreaterThanOrEqualTo(Duration.ofMillis(600)));
        assertThat(others).noneMatch(Actor::isHolder);
        holder.does(holder.lock()::unlock);
    }

    private static CompletableFuture<Duration> waitsInVain(Actor actor) {
        return actor.begins(() -> {
            long start = System.nanoTime();
            assertThat(actor.lock().tryLock(600, TimeUnit.MILLISECONDS)).isFalse();
            return Duration.ofNanos(System.nanoTime() - start);
        });
    }

    /** A wait for a lock that is released in time acquires it, in the same client and in another. */
    @Test
    default void tryLockTimed_freedInTime() {
        for (Actor waiter : List.of(here(), there())) {
            Actor holder = here();
            holder.does(holder.lock()::lock);
            CompletableFuture<Boolean> waiting =
                    waiter.waitsIn(() -> waiter.lock().tryLock(1, TimeUnit.MINUTES));
            holder.does(holder.lock()::unlock);
            assertThat(stage().outcomeOf(waiting)).isTrue();
            assertThat(waiter.isHolder()).isTrue();
            waiter.does(waiter.lock()::unlock);
        }
    }

    /** The longest possible wait does not overflow to zero. */
    @Test
    default void tryLockTimed_forever() {
        Actor holder = here();
        Actor waiter = there();
        holder.does(holder.lock()::lock);
        CompletableFuture<Boolean> waiting = waiter.waitsIn(() -> waiter.lock().tryLock(Long.MAX_VALUE, TimeUnit.DAYS));
        holder.does(holder.lock()::unlock);
        assertThat(stage().outcomeOf(waiting)).isTrue();
        waiter.does(waiter.lock()::unlock);
    }
}
