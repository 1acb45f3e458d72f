package dev.holdfast.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work that waits while Redis executes nothing: few attempts for all, and nothing is forgotten. Uses a manual timer. */
@Tag("pure")
final class StandstillTest {
    private static final Duration LONGEST = Duration.ofNanos(Standstill.LONGEST);
    private static final Duration TICK = Deadlines.DEFAULT_TICK;

    private final ManualTimer timer = new ManualTimer();

    @AutoClose
    private final Deadlines deadlines = new Deadlines(timer, timer::nanoTime, TICK);

    private final Standstill standstill = new Standstill(deadlines);
    private final List<String> outcomes = new ArrayList<>();

    /** Whether Redis executes what is resumed, by its name. */
    private Predicate<String> executes = name -> false;

    private long untilNanos = Duration.ofHours(1).toNanos();

    private void await(String name) {
        await(name, untilNanos);
    }

    private void await(String name, long until) {
        standstill.await(
                () -> {
                    outcomes.add(name);
                    if (!executes.test(name)) {
                        await(name, until);
                    }
                },
                until,
                () -> outcomes.add(name + " given up"));
    }

    private void await(int number) {
        for (int i = 0; i < number; i++) {
            await("waiter " + i);
        }
    }

    /** The first retry comes soon, and the pauses grow up to the longest one. */
    @Test
    void await_pauseGrows() {
        await(1);
        assertThat(outcomes).isEmpty();
        timer.advance(TICK.multipliedBy(2));
        assertThat(outcomes).hasSize(1);

        timer.advance(Duration.ofSeconds(60));

        assertThat(outcomes).hasSizeBetween(60_000 / 220, 60_000 / 140);
    }

    /** However many wait, a few of them try in each pause, in rotation. */
    @Test
    void await_fewTryForAll() {
        await(100);

        timer.advance(Duration.ofSeconds(60));

        assertThat(outcomes).hasSizeBetween(Standstill.MOST * 60_000 / 220, Standstill.MOST * 60_000 / 140);
        assertThat(outcomes).contains("waiter 0", "waiter 99");
        assertThat(standstill.size()).isEqualTo(100);
    }

    /**
     * When the resumed commands are executed, the others follow soon, and a later arrival starts with the shortest pause.
     */
    @Test
    void executed_allAreResumed() {
        await(100);
        timer.advance(Duration.ofSeconds(60));
        outcomes.clear();

        executes = name -> true;
        timer.advance(LONGEST.multipliedBy(2).plus(TICK.multipliedBy(10)));

        assertThat(outcomes).hasSize(100).doesNotHaveDuplicates();
        assertThat(standstill.size()).isZero();
        timer.advance(LONGEST.plus(TICK));
        assertThat(deadlines.pending()).isZero();
        await("another");
        timer.advance(TICK.multipliedBy(2));
        assertThat(outcomes).hasSize(101);
    }

    /** While some of the resumed commands are not executed, the others do not follow at once, but a few after each pause. */
    @Test
    void someAreNotExecuted_othersFollowFewAtATime() {
        await(100);
        timer.advance(Duration.ofSeconds(60));
        outcomes.clear();

        executes = name -> name.endsWith("5");
        timer.advance(Duration.ofSeconds(1));
        assertThat(outcomes).hasSizeBetween(Standstill.MOST * 1_000 / 220, Standstill.MOST * 1_000 / 140);
        timer.advance(Duration.ofSeconds(10));

        assertThat(outcomes.stream().filter(executes)).hasSize(10).doesNotHaveDuplicates();
        assertThat(standstill.size()).isEqualTo(90);
    }

    /** When the client is closed all work gives up, and so does work that arrives later. */
    @Test
    void close_givesUp() {
        await("one");
        await("other");
        standstill.close();
        await("late");
        assertThat(outcomes).containsExactly("one given up", "other given up", "late given up");
        timer.advance(Duration.ofMinutes(1));
        assertThat(outcomes).hasSize(3);
    }

    /** Without a timer nothing would be resumed: work that arrives gives up. */
    @Test
    void noTimer_givesUp() {
        deadlines.close();
        await("one");
        assertThat(outcomes).containsExactly("one given up");
        assertThat(standstill.size()).isZero();
    }

    /** An exception of one does not keep the others waiting. */
    @Test
    void resumed_throws() {
        standstill.await(
                () -> {
                    throw new IllegalStateException("on purpose");
                },
                untilNanos,
                () -> {});
        executes = name -> true;
        await("other");
        timer.advance(TICK.multipliedBy(2));
        assertThat(outcomes).containsExactly("other");
    }
}
