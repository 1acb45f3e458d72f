package dev.holdfast.examples.service.demo;

import java.time.Duration;

/**
 * What is sold, by how many, and which faults happen during the sale.
 *
 * @param locked whether the shop sells under the lock; without it, there are no incidents
 * @param stock how many pieces there are
 * @param instances how many processes of the shop
 * @param customers how many customers buy at the same time
 */
record Plan(boolean locked, int stock, int instances, int customers) {
    static final String ITEM = "sneakers";
    /** As {@code holdfast.watchdog-timeout} of the shop. */
    static final Duration LEASE = Duration.ofSeconds(3);
    /** How long an instance may take to start, or the whole sale: only a run that is stuck takes as long. */
    static final Duration LIMIT = Duration.ofMinutes(3);

    /** The instance that is killed, and the one that is stopped for longer than its lease. */
    static final int KILLED = 1;

    static final int STOPPED = 2;

    static final Plan FULL = new Plan(true, 600, 3, 12);

    Plan withoutLock() {
        return new Plan(false, stock, instances, customers);
    }

    /** {@return how many pieces are sold when an instance is killed} */
    int killAt() {
        return stock / 5;
    }

    /** {@return how many pieces are sold when another one is stopped} */
    int stopAt() {
        return stock * 3 / 5;
    }

    /** {@return how many pieces the others sell before that one runs again} */
    int soldMeanwhile() {
        return stock / 20;
    }

    /** {@return the longest time that the lock of a killed instance may stay} */
    Duration longestStandstill() {
        return LEASE.plusSeconds(2);
    }
}
