package dev.holdfast.watchdog;

import static dev.holdfast.interleavings.Interleavings.explore;
import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Interleavings.together;

import dev.holdfast.testkit.ManualTimer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Scheduling and cancelling in any order with the timer's sweeps: each scheduling either expires once or is cancelled,
 * and no scheduled deadline is forgotten.
 */
class DeadlinesInterleavingTest {
    private static final Duration TICK = Duration.ofMillis(10);

    /** A clock, its deadlines, and one deadline that counts how often it expired. */
    private static final class Rig {
        final ManualTimer clock = new ManualTimer();
        final Deadlines deadlines = new Deadlines(clock, clock::nanoTime, TICK);
        final AtomicInteger expired = new AtomicInteger();
        final Deadline deadline = new Deadline() {
            @Override
            protected void expired() {
                expired.incrementAndGet();
            }
        };

        boolean schedule(int ticks) {
            return deadlines.schedule(deadline, clock.nanoTime() + ticks * TICK.toNanos());
        }

        void tick() {
            clock.advance(TICK);
        }
    }

    /** A deadline expires or is cancelled: not both, not neither. */
    @Test
    void cancel_againstTheTimer() {
        explore(() -> {
            Rig rig = new Rig();
            rig.schedule(1);
            AtomicBoolean cancelled = new AtomicBoolean();
            together(rig::tick, () -> cancelled.set(rig.deadlines.cancel(rig.deadline)));
            require(rig.expired.get() == (cancelled.get() ? 0 : 1), "the deadline either expired or was cancelled");
            require(rig.deadlines.pending() == 0, "nothing is scheduled");
        });
    }

    /**
     * A deadline that is scheduled during a sweep of others expires in time, although nothing else arms the timer
     * again.
     */
    @Test
    void schedule_againstASweep() {
        explore(() -> {
            Rig rig = new Rig();
            rig.deadlines.schedule(
                    new Deadline() {
                        @Override
                        protected void expired() {}
                    },
                    rig.clock.nanoTime() + 1);
            together(rig::tick, () -> rig.schedule(1));
            rig.tick();
            rig.tick();
            require(rig.expired.get() == 1, "the deadline expired once");
            require(rig.deadlines.pending() == 0 && rig.clock.pending() == 0, "nothing is scheduled");
        });
    }

    /**
     * A deadline that is moved back and forth, cancelled, and scheduled again expires as often as it was scheduled and
     * not cancelled.
     */
    @Test
    void reschedule_againstCancelAndTheTimer() {
        explore(() -> {
            Rig rig = new Rig();
            rig.schedule(1);
            AtomicInteger cancelled = new AtomicInteger();
            AtomicInteger before = new AtomicInteger();
            together(
                    () -> {
                        if (rig.deadlines.cancel(rig.deadline)) {
                            cancelled.incrementAndGet();
                            before.set(rig.expired.get());
                            rig.schedule(2);
                        }
                    },
                    rig::tick);
            rig.tick();
            rig.tick();
            require(rig.expired.get() == 1, "the deadline expired once");
            require(cancelled.get() == 0 || before.get() == 0, "it did not expire before it was scheduled again");
            require(rig.deadlines.pending() == 0 && rig.clock.pending() == 0, "nothing is scheduled");
        });
    }

    /**
     * After the close nothing is accepted and nothing is left: a deadline that was accepted before was dropped or
     * expired.
     */
    @Test
    void close_againstScheduleAndTheTimer() {
        explore(() -> {
            Rig rig = new Rig();
            together(rig.deadlines::close, () -> rig.schedule(1), rig::tick);
            rig.tick();
            rig.tick();
            require(!rig.schedule(1), "no deadline is accepted");
            require(rig.expired.get() <= 1, "the deadline expired at most once");
            require(rig.deadlines.pending() == 0 && rig.clock.pending() == 0, "nothing is scheduled");
        });
    }
}
