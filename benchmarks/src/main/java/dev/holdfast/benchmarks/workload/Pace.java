package dev.holdfast.benchmarks.workload;

import java.time.Duration;

/**
 * The durations and sizes of a measurement.
 *
 * @param warmUp how long contenders run before the window
 * @param window the length of the window, within which events are counted
 * @param longWindow likewise, for workloads about time itself: renewals, timers
 * @param rounds how often each system is measured
 * @param crowd the number of waiters, and of names, in a workload with many waiters
 * @param holds the number of holds in a workload with many holds
 * @param watchdogTimeout the lease of those holds
 * @param coldStarts how often a process is started for each system, in a workload about cold starts
 * @param pacedLocks how many locks it acquires at a moderate rate
 */
public record Pace(
        Duration warmUp,
        Duration window,
        Duration longWindow,
        int rounds,
        int crowd,
        int holds,
        Duration watchdogTimeout,
        int coldStarts,
        int pacedLocks) {
    /** For figures to be published. */
    public static final Pace FULL = new Pace(
            Duration.ofSeconds(4),
            Duration.ofSeconds(4),
            Duration.ofSeconds(60),
            3,
            10_000,
            100_000,
            Duration.ofSeconds(30),
            15,
            100);

    /** For a quick check: a few seconds for each system and workload. */
    public static final Pace QUICK = new Pace(
            Duration.ofMillis(1_500),
            Duration.ofMillis(1_500),
            Duration.ofSeconds(6),
            1,
            2_000,
            10_000,
            Duration.ofSeconds(6),
            5,
            100);

    /** For a test of the runner itself: the figures mean nothing. */
    public static final Pace INSTANT = new Pace(
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(400),
            1,
            20,
            50,
            Duration.ofSeconds(10),
            1,
            2);

    /** {@return the same with another number of rounds} */
    public Pace withRounds(int other) {
        return new Pace(warmUp, window, longWindow, other, crowd, holds, watchdogTimeout, other, pacedLocks);
    }

    /** {@return the same with another window} */
    public Pace withWindow(Duration other) {
        return new Pace(warmUp, other, longWindow, rounds, crowd, holds, watchdogTimeout, coldStarts, pacedLocks);
    }

    /** {@return the same with another warm-up} */
    public Pace withWarmUp(Duration other) {
        return new Pace(other, window, longWindow, rounds, crowd, holds, watchdogTimeout, coldStarts, pacedLocks);
    }
}
