package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A release wakes a waiter, even if other waiters have left. */
interface WakeUpCases extends ContractCases {
    /** Rounds of a race between a release and a waiter that leaves; the order must not matter. */
    int RACES = 25;

    /** A wait whose end is near the release, which comes between zero and twice this time. */
    Duration WAIT = Duration.ofMillis(5);

    /** A release wakes a waiter of the same client. */
    @Test
    default void unlock_wakesSameClient() {
        passOn(here(), here());
    }

    /** A release wakes a waiter of another client. */
    @Test
    default void unlock_wakesOtherClient() {
        passOn(here(), there());
    }

    private void passOn(Actor holder, Actor waiter) {
        holder.does(holder.lock()::lock);
        CompletableFuture<@Nullable Void> waiting = waiter.waitsIn(waiter.lock()::lock);
        holder.does(holder.lock()::unlock);
        stage().outcomeOf(waiting);
        assertThat(waiter.isHolder()).isTrue();
        assertThat(holder.isHolder()).isFalse();
        waiter.does(waiter.lock()::unlock);
    }

    /** Each of many waiters in several clients acquires the lock. */
    @Test
    default void unlock_everyWaiterGetsItsTurn() {
        Actor holder = here();
        holder.does(holder.lock()::lock);
        AtomicInteger insiders = new AtomicInteger();
        List<CompletableFuture<@Nullable Void>> waiting = new ArrayList<>();
        for (Actor waiter : Stream.generate(() -> Stream.of(here(), there()))
                .limit(8)
                .flatMap(pair -> pair)
                .toList()) {
            waiting.add(waiter.waitsIn(() -> {
                waiter.lock().lock();
                try {
                    assertThat(insiders.incrementAndGet()).isEqualTo(1);
                } finally {
                    insiders.decrementAndGet();
                    waiter.lock().unlock();
                }
            }));
        }
        holder.does(holder.lock()::unlock);
        waiting.forEach(stage()::outcomeOf);
    }

    /** If the lock is fair, it is granted to the owners of all clients in the order in which they have come. */
    @Test
    default void unlock_fair_servesInOrder() {
        Actor holder = here();
        holder.does(holder.lock()::lock);
        boolean isFair = first().waitersInOrder(stage().name()) >= 0;
        List<Actor> waiters = List.of(there(), here(), here(), there(), here(), there());
        List<Actor> served = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<@Nullable Void>> waiting = new ArrayList<>();
        for (Actor waiter : waiters) {
            waiting.add(waiter.waitsIn(() -> {
                waiter.lock().lock();
                try {
                    served.add(waiter);
                } finally {
                    waiter.lock().unlock();
                }
            }));
            stage().await().until(() -> !isFair || first().waitersInOrder(stage().name()) == waiting.size());
        }
        holder.does(holder.lock()::unlock);
        waiting.forEach(stage()::outcomeOf);
        if (isFair) {
            assertThat(served).containsExactlyElementsOf(waiters);
        } else {
            assertThat(served).containsExactlyInAnyOrderElementsOf(waiters);
        }
    }

    /** A waiter that has timed out does not consume the next waiter's wake-up. */
    @Test
    default void unlock_afterWaiterTimedOut() {
        Actor holder = here();
        for (List<Actor> pair : List.of(List.of(there(), there()), List.of(here(), there()), List.of(here(), here()))) {
            Actor leaver = pair.get(0);
            Actor stayer = pair.get(1);
            holder.does(holder.lock()::lock);
            CompletableFuture<Boolean> leaving =
                    leaver.waitsBrieflyIn(() -> leaver.lock().tryLock(500, TimeUnit.MILLISECONDS));
            CompletableFuture<@Nullable Void> staying = stayer.waitsIn(stayer.lock()::lock);
            assertThat(stage().outcomeOf(leaving)).isFalse();
            holder.does(holder.lock()::unlock);
            stage().outcomeOf(staying);
            stayer.does(stayer.lock()::unlock);
        }
    }

    /** A waiter that is interrupted during a release does not consume the next waiter's wake-up. */
    @Test
    default void unlock_whileWaiterIsInterrupted() {
        Actor holder = here();
        Actor leaver = there();
        Actor stayer = there();
        for (int race = 0; race < RACES; race++) {
            holder.does(holder.lock()::lock);
            CompletableFuture<Boolean> leaving = leaver.waitsIn(() -> {
                try {
                    leaver.lock().lockInterruptibly();
                    leaver.lock().unlock();
                    return true;
                } catch (InterruptedException e) {
                    return false;
                }
            });
            CompletableFuture<@Nullable Void> staying = stayer.waitsIn(stayer.lock()::lock);
            CompletableFuture<@Nullable Void> releasing = holder.begins(holder.lock()::unlock);
            leaver.interrupt();
            stage().outcomeOf(releasing);
            stage().outcomeOf(leaving);
            stage().outcomeOf(staying);
            stayer.does(stayer.lock()::unlock);
            leaver.does(Thread::interrupted);
        }
    }

    /** A waiter that times out during a release does not consume the next waiter's wake-up. */
    @Test
    default void unlock_whileWaiterTimesOut() {
        Actor holder = here();
        Actor leaver = there();
        Actor stayer = there();
        for (int race = 0; race < RACES; race++) {
            holder.does(holder.lock()::lock);
            CompletableFuture<@Nullable Void> leaving = leaver.begins(() -> {
                if (leaver.lock().tryLock(WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                    leaver.lock().unlock();
                }
            });
            CompletableFuture<@Nullable Void> staying = stayer.waitsIn(stayer.lock()::lock);
            holder.does(() -> {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(2 * WAIT.toNanos()));
                holder.lock().unlock();
            });
            stage().outcomeOf(leaving);
            stage().outcomeOf(staying);
            stayer.does(stayer.lock()::unlock);
        }
    }
}
