package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.holdfast.testkit.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class DeadlinesTest {
    private final CountingTimer timer = new CountingTimer();
    private final ManualTimer clock = timer.manual;
    private final Deadlines deadlines = new Deadlines(timer, clock::nanoTime, Deadlines.DEFAULT_TICK);
    private final List<String> log = new ArrayList<>();

    /** A deadline expires once, at the first tick at or after its time, and not before. */
    @Test
    void schedule_expiresAtTheTickNeverEarly() {
        deadlines.schedule(new Logged("a"), Duration.ofMillis(101).toNanos());
        advance(109);
        assertThat(log).isEmpty();
        advance(1);
        assertThat(log).containsExactly("a");
        advance(10_000);
        assertThat(log).containsExactly("a");
    }

    /** A time that falls on a tick expires at that tick. */
    @Test
    void schedule_onATickIsThatTick() {
        deadlines.schedule(new Logged("a"), Duration.ofMillis(100).toNanos());
        advance(100);
        assertThat(log).containsExactly("a");
    }

    /** A deadline in the past expires at once; it is neither dropped nor an error. */
    @Test
    void schedule_inThePast() {
        advance(1_000);
        deadlines.schedule(new Logged("a"), -5_000_000_000L);
        advance(10);
        assertThat(log).containsExactly("a");
    }

    /** When the clock is set forward and the timer is not, what is due by then expires at the next tick, and no more. */
    @Test
    void rearm_expiresWhatHasPassed() {
        AtomicLong ahead = new AtomicLong();
        Deadlines forward = new Deadlines(timer, () -> clock.nanoTime() + ahead.get(), Deadlines.DEFAULT_TICK);
        forward.schedule(new Logged("a"), Duration.ofMinutes(1).toNanos());
        forward.schedule(new Logged("b"), Duration.ofMinutes(2).toNanos());

        ahead.set(Duration.ofSeconds(90).toNanos());
        forward.rearm();
        advance(10);
        assertThat(log).containsExactly("a");

        advance(30_000);
        assertThat(log).containsExactly("a", "b");
    }

    /** Times are on the scale of nanoTime, which has an arbitrary origin and may overflow. */
    @Test
    void schedule_acrossTheOverflowOfNanoTime() {
        long start = Long.MAX_VALUE - Duration.ofMillis(50).toNanos();
        Deadlines wrapping = new Deadlines(timer, () -> start + clock.nanoTime(), Deadlines.DEFAULT_TICK);
        wrapping.schedule(new Logged("a"), start + Duration.ofMillis(100).toNanos());
        advance(99);
        assertThat(log).isEmpty();
        advance(1);
        assertThat(log).containsExactly("a");
    }

    /** Scheduling again moves the deadline, to an earlier time as well as to a later one. */
    @Test
    void schedule_againMoves() {
        Logged a = new Logged("a");
        deadlines.schedule(a, Duration.ofMillis(100).toNanos());
        deadlines.schedule(a, Duration.ofMillis(300).toNanos());
        assertThat(deadlines.pending()).isEqualTo(1);
        advance(200);
        assertThat(log).isEmpty();
        deadlines.schedule(a, Duration.ofMillis(250).toNanos());
        advance(50);
        assertThat(log).containsExactly("a");
        assertThat(deadlines.pending()).isZero();
    }

    /**
     * Cancelling removes a deadline at once and returns true; for one that has expired or was never scheduled it
     * returns false.
     */
    @Test
    void cancel_leavesNothing() {
        Logged a = new Logged("a");
        assertThat(deadlines.cancel(a)).isFalse();
        deadlines.schedule(a, Duration.ofMillis(100).toNanos());
        assertThat(deadlines.cancel(a)).isTrue();
        assertThat(deadlines.cancel(a)).isFalse();
        assertThat(deadlines.pending()).isZero();
        advance(1_000);
        assertThat(log).isEmpty();
        assertThat(clock.pending()).isZero();
    }

    /** Later and cancelled deadlines do not change the timer's timeout; an earlier one replaces it. */
    @Test
    void schedule_timerIsSetForEarlierOnesOnly() {
        List<Logged> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Logged deadline = new Logged("later");
            all.add(deadline);
            deadlines.schedule(deadline, Duration.ofMillis(1_000 + i).toNanos());
        }
        all.forEach(deadlines::cancel);
        assertThat(timer.timeouts).hasValue(1);
        deadlines.schedule(new Logged("earlier"), Duration.ofMillis(500).toNanos());
        assertThat(timer.timeouts).hasValue(2);
        assertThat(clock.pending()).isEqualTo(1);
    }

    /** Deadlines of one tick expire together, at its end, in one firing of the timer. */
    @Test
    void schedule_oneTickIsOneSweep() {
        for (int millis : List.of(91, 95, 99)) {
            deadlines.schedule(
                    new Logged("at " + millis), Duration.ofMillis(millis).toNanos());
        }
        int timeouts = timer.timeouts.get();
        advance(99);
        assertThat(log).isEmpty();
        advance(1);
        assertThat(log).containsExactlyInAnyOrder("at 91", "at 95", "at 99");
        assertThat(timer.timeouts).hasValue(timeouts);
    }

    /** A deadline that schedules itself for now runs again, but not in the same sweep, so the sweep ends. */
    @Test
    void schedule_duringASweepIsForTheNext() {
        deadlines.schedule(
                new Deadline() {
                    @Override
                    protected void expired() {
                        log.add("at " + clock.nanoTime() / 1_000_000);
                        if (log.size() < 3) {
                            deadlines.schedule(this, clock.nanoTime());
                        }
                    }
                },
                Duration.ofMillis(100).toNanos());
        advance(1_000);
        assertThat(log).containsExactly("at 100", "at 110", "at 120");
    }

    /** An exception or error of one deadline is logged and affects neither the others nor the timer. */
    @Test
    void expired_throwing() {
        for (Throwable thrown :
                List.of(new IllegalStateException("made to fail"), new AssertionError("made to fail"))) {
            deadlines.schedule(
                    new Deadline() {
                        @Override
                        protected void expired() {
                            DeadlinesTest.<RuntimeException>sneak(thrown);
                        }
                    },
                    Duration.ofMillis(100).toNanos());
        }
        deadlines.schedule(new Logged("same tick"), Duration.ofMillis(100).toNanos());
        deadlines.schedule(new Logged("later"), Duration.ofMillis(200).toNanos());
        try (CapturedLog captured = new CapturedLog()) {
            advance(300);
            assertThat(captured.warnings()).hasSize(2);
        }
        assertThat(log).containsExactly("same tick", "later");
    }

    /** Scheduling on a stopped timer does not throw: it returns false, and nothing is kept. */
    @Test
    void schedule_timerStopped() {
        timer.stop();
        assertThat(deadlines.schedule(new Logged("a"), 1)).isFalse();
        assertThat(deadlines.schedule(new Logged("b"), 1)).isFalse();
        assertThat(deadlines.pending()).isZero();
    }

    /** Closing drops all deadlines, rejects new ones, leaves no timeout in the timer, and may be repeated. */
    @Test
    void close_dropsAndRefuses() {
        Logged a = new Logged("a");
        deadlines.schedule(a, Duration.ofMillis(100).toNanos());
        deadlines.close();
        deadlines.close();
        assertThat(clock.pending()).isZero();
        assertThat(deadlines.schedule(a, 1)).isFalse();
        assertThat(deadlines.cancel(a)).isFalse();
        assertThatNoException().isThrownBy(() -> advance(1_000));
        assertThat(log).isEmpty();
    }

    /** A tick outside the valid range is rejected. */
    @Test
    void new_tickOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Deadlines(timer, clock::nanoTime, Duration.ZERO))
                .withMessageContaining("was PT0S");
    }

    private void advance(long millis) {
        clock.advance(Duration.ofMillis(millis));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private final class Logged extends Deadline {
        private final String name;

        Logged(String name) {
            this.name = name;
        }

        @Override
        protected void expired() {
            log.add(name);
        }
    }
}
