package dev.holdfast.watchdog;

import java.time.Duration;

/**
 * The length of leases, and the safety margin on it.
 *
 * @param watchdogTimeout the length of a watched lease, which is renewed every third of it
 * @param driftAllowance how far the store's clock may run ahead of the local one during one watchdog timeout; the local
 *     view of a lease is shortened by it, in proportion to the lease
 * @param maxHold how long after its start a watched lease is still renewed; {@link #UNBOUNDED} for as long as it is
 *     held
 */
public record LeaseTerms(Duration watchdogTimeout, Duration driftAllowance, Duration maxHold) {
    /** The longest duration that a nanosecond clock can measure: no limit. */
    public static final Duration UNBOUNDED = Duration.ofNanos(Long.MAX_VALUE);

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(365);

    /**
     * Checks the terms and the relations between them.
     *
     * @throws IllegalArgumentException when a value is out of its range or contradicts another one
     */
    public LeaseTerms {
        if (watchdogTimeout.compareTo(SHORTEST) < 0 || watchdogTimeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("watchdogTimeout must be between " + SHORTEST + " and " + LONGEST
                    + ", was " + watchdogTimeout + ": three renewals and their answers must fit into it");
        }
        if (driftAllowance.isNegative() || driftAllowance.compareTo(watchdogTimeout.dividedBy(4)) > 0) {
            throw new IllegalArgumentException(
                    "driftAllowance must be between zero and a quarter of watchdogTimeout, was " + driftAllowance
                            + " of " + watchdogTimeout + ": what it takes away is missing for renewals");
        }
        if (maxHold.compareTo(watchdogTimeout) < 0 || maxHold.compareTo(UNBOUNDED) > 0) {
            throw new IllegalArgumentException("maxHold must be at least watchdogTimeout, was " + maxHold + " with "
                    + watchdogTimeout + ": a lease lives that long without any renewal");
        }
    }

    /** {@return terms with a drift allowance of one percent and no maximum hold} */
    public static LeaseTerms of(Duration watchdogTimeout) {
        return new LeaseTerms(watchdogTimeout, watchdogTimeout.dividedBy(100), UNBOUNDED);
    }

    /** {@return these terms with another drift allowance} */
    public LeaseTerms withDriftAllowance(Duration allowance) {
        return new LeaseTerms(watchdogTimeout, allowance, maxHold);
    }

    /** {@return these terms with a maximum hold} */
    public LeaseTerms withMaxHold(Duration longest) {
        return new LeaseTerms(watchdogTimeout, driftAllowance, longest);
    }
}
