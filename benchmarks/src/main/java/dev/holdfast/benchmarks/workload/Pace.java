package dev.holdfast.benchmarks.workload;

import java.time.Duration;

/**
 * How long, how often and how much.
 *
 * @param warmUp how long contenders run before anything is counted
 * @param window how long they are counted
 * @param longWindow likewise for what is about time itself: renewals, timers
 * @param rounds how often each is measured
 * @param crowd how many wait on as many names, where many do
 * @param holds how many locks are held at once, where many are
 * @param watchdogTimeout the lease of those
 */
public record Pace(
        Duration warmUp,
        Duration window,
        Duration longWindow,
        int rounds,
        int crowd,
        int holds,
        Duration watchdogTimeout) {
    /** For figures to be published. */
    public static final Pace FULL = new Pace(
            Duration.ofSeconds(4),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            5,
            10_000,
            100_000,
            Duration.ofSeconds(30));

    /** For a look: a few seconds for each system and workload. */
    public static final Pace QUICK = new Pace(
            Duration.ofMillis(1_500),
            Duration.ofMillis(1_500),
            Duration.ofSeconds(6),
            1,
            2_000,
            10_000,
            Duration.ofSeconds(6));

    /** For a test of the runner itself: the figures mean nothing. */
    public static final Pace INSTANT = new Pace(
            Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(400), 1, 20, 50, Duration.ofSeconds(10));

    /** {@return the same with other rounds} */
    public Pace withRounds(int other) {
        return new Pace(warmUp, window, longWindow, other, crowd, holds, watchdogTimeout);
    }

    /** {@return the same with another window} */
    public Pace withWindow(Duration other) {
        return new Pace(warmUp, other, longWindow, rounds, crowd, holds, watchdogTimeout);
    }

    /** {@return the same with another warm-up} */
    public Pace withWarmUp(Duration other) {
        return new Pace(other, window, longWindow, rounds, crowd, holds, watchdogTimeout);
    }
}
