package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.awaitWork;

import dev.holdfast.LockException;
import dev.holdfast.interleavings.Orders;
import dev.holdfast.interleavings.Orders.StillWaits;
import dev.holdfast.internal.condition.Conditions;
import dev.holdfast.internal.condition.Conditions.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Threads that wait for a condition of a lock, one after the other, and then an owner that has the lock. */
final class ConditionRig {
    /** For which the first one waits. */
    static final Duration TIME = Duration.ofSeconds(1);

    private static final String CONDITION = "changed";

    /** Longer than a wait without an end lasts if nothing wakes it. */
    private static final Duration LAST_RESORT = Duration.ofSeconds(76);

    final ModelClient client = new ModelClient(Runnable::run);
    final ModelConditions redis = client.conditions;
    final Waiter first = new Waiter(TIME.toNanos());
    final Waiter second = new Waiter(Conditions.FOR_EVER);
    final ModelClient.Owner holder = client.new Owner();
    private boolean prepared;

    /** One thread, which locks, waits, and unlocks. */
    final class Waiter implements Runnable {
        private final ModelClient.Owner owner = client.new Owner();
        private final long waitNanos;
        private @Nullable Outcome outcome;
        private @Nullable RuntimeException failure;
        private boolean held;
        private @Nullable Thread thread;

        private Waiter(long waitNanos) {
            this.waitNanos = waitNanos;
        }

        @Override
        public void run() {
            thread = Thread.currentThread();
            owner.acquire();
            awaitWork(owner::holds);
            try {
                outcome = client.core.conditions().await(client.key(), owner.id(), CONDITION, waitNanos, true);
                held = owner.isHeld();
            } catch (StillWaits e) {
                // It has no outcome.
            } catch (LockException e) {
                failure = e;
            }
            if (!stillWaits()) {
                owner.release();
            }
        }

        private boolean isInSet() {
            return redis.isWaiting(name());
        }

        private String name() {
            return client.core.session().owners().name(owner.id());
        }

        boolean isWoken() {
            return outcome == Outcome.WOKEN;
        }

        boolean hasFailed() {
            return failure != null;
        }

        boolean stillWaits() {
            return outcome == null && failure == null;
        }

        boolean hasEnded(Outcome how) {
            return outcome == how;
        }

        /** Whichever way its wait has ended, it held the lock; or it is still in the wait set, where the next signal reaches it. */
        void requireSound() {
            require(outcome == null || held, "a waiter that returns holds the lock");
            require(!stillWaits() || isInSet(), "a waiter that waits is in the wait set");
        }
    }

    // --- What is explored.

    /** Explores these parts when both wait and the holder has the lock. */
    void together(Runnable... parts) {
        explore(List.of(first, second), () -> hasLock(2), parts);
    }

    /** Explores these parts when the first one waits and the holder has the lock. */
    void togetherWithOne(Runnable... parts) {
        explore(List.of(first), () -> hasLock(1), parts);
    }

    /** Explores how the first one, which has the lock, waits, and the holder is handed it off and signals. */
    void togetherHandedOff() {
        Runnable signals = () -> {
            holder.acquire();
            awaitWork(holder::holds);
            signal();
        };
        Orders.togetherWhile(
                () -> isUndecided(first.owner::holds),
                first,
                after(first.owner::holds, signals),
                client::serveReceiveAndGoOn);
        client.quiet();
    }

    /** The first one waits, is woken in doubt, and has ended. */
    void wakeInDoubt() {
        Runnable moves = () -> {
            client.core.conditions().moved(lock -> true);
            holder.release();
        };
        Orders.togetherWhile(
                () -> false,
                first,
                after(1, holder::acquire),
                after(() -> hasLock(1), moves),
                client::serveReceiveAndGoOn);
        client.quiet();
        require(first.isWoken(), "the first waiter is woken");
    }

    private boolean hasLock(int waiters) {
        return redis.waiting() == waiters && holder.holds() && !client.hasWork();
    }

    private void explore(List<Waiter> waiters, BooleanSupplier ready, Runnable... parts) {
        List<Runnable> all = new ArrayList<>();
        for (int i = 0; i < waiters.size(); i++) {
            all.add(after(i, waiters.get(i)));
        }
        all.add(after(waiters.size(), holder::acquire));
        for (Runnable part : parts) {
            all.add(after(() -> prepared, part));
        }
        all.add(client::serveReceiveAndGoOn);
        Orders.togetherWhile(() -> isUndecided(ready), all.toArray(Runnable[]::new));
        client.quiet();
    }

    private boolean isUndecided(BooleanSupplier ready) {
        prepared |= ready.getAsBoolean();
        return prepared && !(holder.isReleased() && client.redis.attempts(first.name()) > 1);
    }

    /** {@return a part that begins when so many wait, and nothing is under way} */
    private Runnable after(int waiters, Runnable part) {
        return after(() -> redis.waiting() == waiters && !client.hasWork(), part);
    }

    private static Runnable after(BooleanSupplier begun, Runnable part) {
        return () -> {
            awaitWork(begun);
            part.run();
        };
    }

    // --- Parts.

    /** The holder signals one of them, and unlocks. */
    void signal() {
        client.core.conditions().signal(client.key(), holder.id(), CONDITION, false);
        holder.release();
    }

    /** Another client has all of them woken, and the holder unlocks. */
    void rouse() {
        redis.rouseByOther();
        holder.release();
    }

    /** The first one is interrupted. */
    void interrupt() {
        Orders.interrupt(Objects.requireNonNull(first.thread, "it waits"));
    }

    /** The time of the first one is over. */
    void timeOut() {
        client.clock.advance(TIME);
    }

    // --- What holds.

    void requireSound() {
        first.requireSound();
        second.requireSound();
    }

    /** One of them was signalled, and no other was woken unless in doubt. */
    void requireOneSignalled() {
        requireSound();
        require(redis.signals() == 1, "one signal was sent, were " + redis.signals());
        int woken = (first.isWoken() ? 1 : 0) + (second.isWoken() ? 1 : 0);
        require(woken > 0, "the signal has woken a waiter");
        require(woken == 1 || doubts() > 0, "the signal has woken one of them");
    }

    /** {@return how many waiters were woken in doubt} */
    long doubts() {
        return client.core.stats().spuriousWakeUps();
    }

    void requireNothingLeft() {
        client.clock.advance(LAST_RESORT);
        client.quiet();
        client.clock.advance(ModelClient.WATCHDOG);
        client.quiet();
        client.requireNothingLeft();
    }
}
