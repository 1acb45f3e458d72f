package dev.holdfast.cli;

import java.time.Duration;

/**
 * When a command has to end so that it does not outlive the lease it runs under, by what is left of that lease. Decides;
 * reads no clock.
 *
 * @param notice what is left when SIGTERM is sent to the command, if it was not before
 * @param margin what is left when the command is killed: the time that a kill may take, on a busy machine too
 */
record EndTerms(Duration notice, Duration margin) {
    private static final Duration LONGEST_NOTICE = Duration.ofSeconds(10);
    private static final Duration LONGEST_MARGIN = Duration.ofSeconds(3);

    /**
     * {@return the terms for a lease of this length} A lease that is renewed has two thirds of its length left at least,
     * so that less than a quarter means that renewals fail.
     */
    static EndTerms of(Duration lease) {
        return new EndTerms(shorter(lease.dividedBy(4), LONGEST_NOTICE), shorter(lease.dividedBy(6), LONGEST_MARGIN));
    }

    /** {@return those of one that acts if another does not: with three quarters of the time that is left to that} */
    EndTerms later() {
        return new EndTerms(
                notice.multipliedBy(3).dividedBy(4), margin.multipliedBy(3).dividedBy(4));
    }

    boolean isEndDue(Duration remaining) {
        return remaining.compareTo(notice) <= 0;
    }

    boolean isKillDue(Duration remaining) {
        return remaining.compareTo(margin) <= 0;
    }

    /** {@return how long it is until SIGTERM has to be sent to the command} */
    Duration untilEnd(Duration remaining) {
        return longer(Duration.ZERO, remaining.minus(notice));
    }

    /** {@return how long it is until the command has to be killed} */
    Duration untilKill(Duration remaining) {
        return longer(Duration.ZERO, remaining.minus(margin));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
