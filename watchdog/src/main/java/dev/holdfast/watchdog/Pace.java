package dev.holdfast.watchdog;

import java.time.Duration;

/** {@link LeaseTerms} worked out in nanoseconds: how soon what follows what. */
final class Pace {
    /** Keeps the shift in range; the cap on the pause is reached long before. */
    private static final int MOST_DOUBLINGS = 8;

    /** Batches without an answer that a tick sends at least: few enough to leave a store half of its time for others. */
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

    /** Until when a lease can be trusted that was asked for at {@code sent}. */
    long validUntil(long sent, long leaseNanos) {
        long until = sent + (leaseNanos - Math.round(leaseNanos * driftRatio));
        return until < sent && leaseNanos > 0 ? LeaseRule.NEVER : until;
    }

    /** When a lease is renewed: after a third of the watchdog timeout, or half way when it is not that long. */
    long renewAt(long confirmed, long until) {
        return confirmed + Math.min(watchdogNanos / 3, Math.max(0, until - confirmed) / 2);
    }

    /** How long an answer is awaited: long enough for a slow one, short enough for several attempts. */
    long answerNanos() {
        return watchdogNanos / 10;
    }

    /** The pause before the next attempt after this many without answer: doubles, a tenth of the watchdog timeout at most. */
    long retryNanos(int unanswered) {
        return Math.min(watchdogNanos / 10, (watchdogNanos / 60) << Math.min(unanswered - 1, MOST_DOUBLINGS));
    }

    /**
     * How many batches a tick sends when so many wait: as few as clear them within a twentieth of the watchdog timeout or
     * little more, for they have two thirds of it, and what else is sent has to get through between them.
     */
    int batchesPerTick(int waiting, long tickNanos) {
        long ticks = Math.max(1, watchdogNanos / 20 / tickNanos);
        return (int) Math.max(LEAST_BATCHES, (waiting + ticks - 1) / ticks);
    }

    /**
     * How far the wall clock must have run ahead to mean a suspend: a tenth of the watchdog timeout, so that less cannot
     * cost a lease, but within reason: below the first bound it would be noise, above the second a waste of evidence.
     */
    long suspendNanos() {
        return Math.max(
                Duration.ofMillis(100).toNanos(), Math.min(Duration.ofSeconds(1).toNanos(), watchdogNanos / 10));
    }
}
