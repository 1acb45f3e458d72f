package dev.holdfast.watchdog;

import java.time.Duration;

/** All delays and timeouts of a lease in nanoseconds, derived from its {@link LeaseTerms}. */
final class Pace {
    /** Keeps the shift in range; the cap on the delay is reached long before. */
    private static final int MOST_DOUBLINGS = 8;

    /**
     * How many unanswered batches a tick sends at least: few enough to leave a store half of its time for other
     * commands.
     */
    static final int LEAST_BATCHES = 4;

    private final double driftRatio;
    private final long watchdogNanos;
    private final long maxHoldNanos;

    Pace(LeaseTerms terms) {
        watchdogNanos = terms.watchdogTimeout().toNanos();
        maxHoldNanos = terms.maxHold().toNanos();
        driftRatio = (double) terms.driftAllowance().toNanos() / watchdogNanos;
    }

    long watchdogNanos() {
        return watchdogNanos;
    }

    long maxHoldNanos() {
        return maxHoldNanos;
    }

    /** Until when a lease can be trusted that was requested at {@code sent}. */
    long validUntil(long sent, long leaseNanos) {
        long until = sent + (leaseNanos - Math.round(leaseNanos * driftRatio));
        return until < sent && leaseNanos > 0 ? LeaseRule.NEVER : until;
    }

    /** When a lease is renewed: after a third of the watchdog timeout, or half way when it is not that long. */
    long renewAt(long confirmed, long until) {
        return confirmed + Math.min(watchdogNanos / 3, Math.max(0, until - confirmed) / 2);
    }

    /** How long a reply is awaited: long enough for a slow one, short enough for several attempts. */
    long answerNanos() {
        return watchdogNanos / 10;
    }

    /**
     * The delay before the next attempt after this many without reply: it doubles, up to a tenth of the watchdog
     * timeout.
     */
    long retryNanos(int unanswered) {
        return Math.min(watchdogNanos / 10, (watchdogNanos / 60) << Math.min(unanswered - 1, MOST_DOUBLINGS));
    }

    /**
     * How many batches a tick sends when this many wait: as few as send them all within a twentieth of the watchdog
     * timeout or little more. The renewals have two thirds of that timeout, and other commands must get through between
     * them.
     */
    int batchesPerTick(int waiting, long tickNanos) {
        long ticks = Math.max(1, watchdogNanos / 20 / tickNanos);
        return (int) Math.max(LEAST_BATCHES, (waiting + ticks - 1) / ticks);
    }

    /**
     * How far the wall clock must have run ahead to indicate a suspend: a tenth of the watchdog timeout, so that a
     * shorter suspend cannot cost a lease, but at least 100 ms and at most a second. A difference below the first bound
     * would be noise; a threshold above the second would ignore evidence.
     */
    long suspendNanos() {
        return Math.max(
                Duration.ofMillis(100).toNanos(), Math.min(Duration.ofSeconds(1).toNanos(), watchdogNanos / 10));
    }
}
