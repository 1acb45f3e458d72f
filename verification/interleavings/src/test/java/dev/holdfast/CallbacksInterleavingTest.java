package dev.holdfast;

import static dev.holdfast.interleavings.Interleavings.explore;
import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Interleavings.together;

import dev.holdfast.internal.session.Callbacks;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Callbacks become ready in any order while a drain begins, runs and ends: each runs once, and none waits for the
 * deadline that detects stalls, which never expires here.
 */
class CallbacksInterleavingTest {

    /** An executor whose tasks run when the scenario runs them. */
    private static final class Rig {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private final ManualTimer clock = new ManualTimer();
        final Callbacks callbacks =
                new Callbacks(this::take, new Deadlines(clock, clock::nanoTime, Deadlines.DEFAULT_TICK));
        final AtomicInteger first = new AtomicInteger();
        final AtomicInteger second = new AtomicInteger();

        private synchronized void take(Runnable task) {
            tasks.add(task);
        }

        private synchronized Runnable next() {
            return tasks.isEmpty() ? () -> {} : tasks.remove();
        }

        private synchronized boolean isIdle() {
            return tasks.isEmpty();
        }

        void ready(AtomicInteger count) {
            callbacks.run(count::incrementAndGet, why -> require(false, "nothing is refused"));
        }

        /** Runs one task, if there is one, as a thread of the executor. */
        void work() {
            next().run();
        }

        void requireBothRan() {
            while (!isIdle()) {
                work();
            }
            require(first.get() == 1 && second.get() == 1, "each callback ran once");
        }
    }

    /** Two callbacks become ready at once, while a thread of the executor takes tasks. */
    @Test
    void run_againstRunAndTheDrain() {
        explore(() -> {
            Rig rig = new Rig();
            together(() -> rig.ready(rig.first), () -> rig.ready(rig.second), rig::work);
            rig.requireBothRan();
        });
    }

    /** A callback becomes ready while the drain that was submitted for another begins, runs and ends. */
    @Test
    void run_againstTheEndOfTheDrain() {
        explore(() -> {
            Rig rig = new Rig();
            rig.ready(rig.first);
            together(rig::work, () -> rig.ready(rig.second));
            rig.requireBothRan();
        });
    }

    /** Two drains end at once while one more callback becomes ready: one of them, or a third, runs it. */
    @Test
    void run_againstTheEndOfTwoDrains() {
        explore(() -> {
            Rig rig = new Rig();
            rig.ready(new AtomicInteger());
            Runnable drain = rig.next();
            rig.ready(rig.first);
            together(drain, drain, () -> rig.ready(rig.second));
            rig.requireBothRan();
        });
    }
}
