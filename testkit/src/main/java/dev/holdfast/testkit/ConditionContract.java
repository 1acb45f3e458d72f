package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract of the conditions of a lock, wherever it is stored: a signal wakes the thread that has waited for longest, over all
 * clients, and no other; a thread that waits does not hold the lock, and holds it as often as before when it returns. To run it, extend
 * it, as {@link LockContract}, with clients that have {@linkplain LockClient#condition conditions}.
 *
 * <p>It requires what the conditions of a {@link java.util.concurrent.locks.ReentrantLock} do, and that nobody wakes without a signal
 * while nothing fails.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.SAME_THREAD)
@SuppressWarnings({"WaitNotInLoop", "JavaUtilDate"}) // what one wait does is what is tested
public abstract class ConditionContract implements ContractCases {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long BRIEF_MILLIS = 50;
    private static final long LONG_SECONDS = 60;

    private Stage stage;

    /** For subclasses. */
    protected ConditionContract() {}

    /** {@return a new fixture; called once for each test} */
    protected abstract LockFixture newFixture();

    /** The time limit for an event that must happen. */
    protected Duration timeout() {
        return TIMEOUT;
    }

    @Override
    public final Stage stage() {
        return stage;
    }

    @BeforeEach
    final void enterStage() {
        stage = new Stage(newFixture(), timeout());
    }

    /** After every test, nothing of its lock is left. */
    @AfterEach
    final void leaveStage() {
        try (Stage left = stage) {
            left.awaitNothingLeft();
        }
    }

    /** One way to wait. */
    private interface Wait {
        boolean await(Condition condition) throws InterruptedException;
    }

    /** {@return the outcome of a wait for this condition, after which the lock is released} Returns when the thread waits. */
    private CompletableFuture<Boolean> waits(Actor waiter, String condition, Wait wait) {
        CompletableFuture<@Nullable Void> held = new CompletableFuture<>();
        CompletableFuture<Boolean> waiting = waiter.begins(() -> {
            waiter.lock().lock();
            try {
                held.complete(null);
                boolean signalled = wait.await(waiter.condition(condition));
                assertThat(waiter.isHolderItself()).as("holds the lock").isTrue();
                return signalled;
            } finally {
                waiter.lock().unlock();
            }
        });
        stage.outcomeOf(held);
        // The lock is free when the thread waits, and not before.
        holding(here(), () -> {});
        return waiting;
    }

    private CompletableFuture<Boolean> waits(Actor waiter, String condition) {
        return waits(waiter, condition, awaited -> {
            awaited.await();
            return true;
        });
    }

    private static void holding(Actor actor, Runnable action) {
        actor.does(() -> {
            actor.lock().lock();
            try {
                action.run();
            } finally {
                actor.lock().unlock();
            }
        });
    }

    /** Signals wake waiters one by one, in the order in which they have begun to wait, over the threads of all clients. */
    @Test
    final void signal_wakesTheFirst() {
        List<CompletableFuture<Boolean>> waiting = List.of(
                waits(here(), "changed"),
                waits(there(), "changed"),
                waits(there(), "changed"),
                waits(here(), "changed"));
        Actor signaller = there();
        for (int i = 0; i < waiting.size(); i++) {
            holding(signaller, signaller.condition("changed")::signal);
            assertThat(stage.outcomeOf(waiting.get(i))).isTrue();
            assertThat(waiting.subList(i + 1, waiting.size())).noneMatch(CompletableFuture::isDone);
        }
    }

    /** Several signals of one holder wake as many. */
    @Test
    final void signal_severalTimes() {
        CompletableFuture<Boolean> first = waits(here(), "changed");
        CompletableFuture<Boolean> second = waits(there(), "changed");
        CompletableFuture<Boolean> third = waits(here(), "changed");
        Actor signaller = here();
        holding(signaller, () -> {
            signaller.condition("changed").signal();
            signaller.condition("changed").signal();
        });
        assertThat(stage.outcomeOf(first)).isTrue();
        assertThat(stage.outcomeOf(second)).isTrue();
        assertThat(third).isNotDone();
        holding(signaller, signaller.condition("changed")::signal);
        assertThat(stage.outcomeOf(third)).isTrue();
    }

    /** All that wait for a condition wake by one call, and none that waits for another. */
    @Test
    final void signalAll_wakesAllOfTheCondition() {
        List<CompletableFuture<Boolean>> waiting =
                List.of(waits(here(), "changed"), waits(there(), "changed"), waits(there(), "changed"));
        CompletableFuture<Boolean> other = waits(here(), "other");
        Actor signaller = there();
        holding(signaller, signaller.condition("changed")::signalAll);
        waiting.forEach(woken -> assertThat(stage.outcomeOf(woken)).isTrue());
        assertThat(other).isNotDone();
        holding(signaller, signaller.condition("other")::signal);
        assertThat(stage.outcomeOf(other)).isTrue();
    }

    /** A signal for which nobody waits has no effect later. */
    @Test
    final void signal_isNotStored() {
        Actor signaller = here();
        holding(signaller, signaller.condition("changed")::signal);
        Actor waiter = there();
        assertThat(stage.outcomeOf(
                        waits(waiter, "changed", awaited -> awaited.await(BRIEF_MILLIS, TimeUnit.MILLISECONDS))))
                .isFalse();
    }

    /** A signalled thread goes on when the lock is free, and not before. */
    @Test
    final void signal_whileTheLockIsHeld() {
        CompletableFuture<Boolean> waiting = waits(there(), "changed");
        Actor signaller = here();
        signaller.does(signaller.lock()::lock);
        signaller.does(signaller.condition("changed")::signal);
        assertThat(waiting).isNotDone();
        signaller.does(signaller.lock()::unlock);
        assertThat(stage.outcomeOf(waiting)).isTrue();
    }

    /** A thread that waits has released each of its levels, and has as many when it returns. */
    @Test
    final void await_releasesAllLevels() {
        Actor waiter = there();
        for (int i = 0; i < 3; i++) {
            waiter.does(waiter.lock()::lock);
        }
        CompletableFuture<Boolean> waiting = waits(waiter, "changed");
        Actor signaller = here();
        holding(signaller, signaller.condition("changed")::signal);
        stage.outcomeOf(waiting);
        assertThat(waiter.holdCount()).isEqualTo(3);
        assertThat(signaller.does(() -> signaller.lock().tryLock())).isFalse();
        for (int i = 0; i < 3; i++) {
            waiter.does(waiter.lock()::unlock);
        }
    }

    /** Each timed wait without a signal ends, holding the lock, and says so; one with a signal says that. */
    @Test
    final void await_timed() {
        List<Wait> brief = List.of(
                awaited -> awaited.await(BRIEF_MILLIS, TimeUnit.MILLISECONDS),
                awaited -> awaited.awaitNanos(TimeUnit.MILLISECONDS.toNanos(BRIEF_MILLIS)) > 0,
                awaited -> awaited.awaitUntil(new Date(System.currentTimeMillis() + BRIEF_MILLIS)),
                awaited -> awaited.await(0, TimeUnit.MILLISECONDS));
        Actor waiter = here();
        for (Wait wait : brief) {
            assertThat(stage.outcomeOf(waits(waiter, "changed", wait))).isFalse();
        }
        List<Wait> patient = List.of(
                awaited -> awaited.await(LONG_SECONDS, TimeUnit.SECONDS),
                awaited -> awaited.awaitNanos(TimeUnit.SECONDS.toNanos(LONG_SECONDS)) > 0,
                awaited -> awaited.awaitUntil(
                        new Date(System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(LONG_SECONDS))));
        Actor signaller = there();
        for (Wait wait : patient) {
            CompletableFuture<Boolean> waiting = waits(waiter, "changed", wait);
            holding(signaller, signaller.condition("changed")::signal);
            assertThat(stage.outcomeOf(waiting)).isTrue();
        }
    }

    /** An interrupt ends a wait with the lock, and a later signal wakes the next thread. */
    @Test
    final void await_interrupted() {
        Actor interrupted = there();
        CompletableFuture<Boolean> ending = waits(interrupted, "changed");
        CompletableFuture<Boolean> staying = waits(here(), "changed");
        interrupted.interrupt();
        assertThatThrownBy(() -> ending.get(stage.timeout().toMillis(), TimeUnit.MILLISECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(interrupted.does(Thread::interrupted)).as("interrupt flag").isFalse();
        assertThat(staying).isNotDone();
        Actor signaller = there();
        holding(signaller, signaller.condition("changed")::signal);
        assertThat(stage.outcomeOf(staying)).isTrue();
    }

    /** An uninterruptible wait goes on after an interrupt, which is not lost. */
    @Test
    final void awaitUninterruptibly_interrupted() {
        Actor waiter = here();
        CompletableFuture<Boolean> waiting = waits(waiter, "changed", awaited -> {
            awaited.awaitUninterruptibly();
            return Thread.interrupted();
        });
        waiter.interrupt();
        Actor signaller = there();
        holding(signaller, signaller.condition("changed")::signal);
        assertThat(stage.outcomeOf(waiting)).as("interrupt flag").isTrue();
    }

    /** A thread without the lock neither waits nor signals, also while another one has the lock. */
    @Test
    final void notHeld_isRefused() {
        Actor holder = here();
        holder.does(holder.lock()::lock);
        for (Actor actor : List.of(here(), there())) {
            Condition condition = actor.condition("changed");
            for (Actor.Deed deed : List.<Actor.Deed>of(
                    condition::await,
                    condition::awaitUninterruptibly,
                    () -> assertThat(condition.await(LONG_SECONDS, TimeUnit.SECONDS))
                            .isTrue(),
                    condition::signal,
                    condition::signalAll)) {
                assertThatThrownBy(() -> actor.does(deed)).isInstanceOf(IllegalMonitorStateException.class);
            }
        }
        holder.does(holder.lock()::unlock);
    }
}
