package dev.holdfast.examples.shop;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The complete result of a run.
 *
 * @param plan the plan of the run
 * @param ledger the sales
 * @param left the stock at the end
 * @param took the time from the signal to begin to the end of the last seller
 * @param sellers one for each process
 * @param accident the kill, if there was one
 * @param longSale the long sale, if it came to its end
 * @param failover the kill of the lock's master, if there was one
 */
record Outcome(
        Plan plan,
        Ledger ledger,
        int left,
        Duration took,
        List<SellerOutcome> sellers,
        Optional<Accident> accident,
        Optional<LongSale> longSale,
        Optional<Failover> failover) {
    /** How a process ended. */
    enum End {
        FINISHED,
        KILLED,
        FAILED
    }

    /**
     * One process.
     *
     * @param process its number
     * @param waits one wait for each acquisition of the lock, without re-entries
     * @param renewals the renewals of its leases; 0 for a process that was killed or failed before its report
     * @param lost the number of its lost leases; likewise
     * @param end how it ended
     * @param failure the reason of its failure, or empty
     */
    record SellerOutcome(int process, Waits waits, long renewals, long lost, End end, String failure) {}

    /**
     * A process was killed while it held the lock.
     *
     * @param process its number
     * @param stayed the time from the kill to the next acquisition of the lock, if there was one
     */
    record Accident(int process, Optional<Duration> stayed) {}

    /**
     * A sale that took longer than a lease.
     *
     * @param process the number of the process that made it
     * @param held how long it held the lock
     * @param renewals the renewals of its lease
     * @param kept whether the lease was held without interruption
     */
    record LongSale(int process, Duration held, long renewals, boolean kept) {}

    /**
     * The master of the lock was killed.
     *
     * @param stoodStill the longest time without an acquisition from then on
     */
    record Failover(Duration stoodStill) {}

    long renewals() {
        return sellers.stream().mapToLong(SellerOutcome::renewals).sum();
    }

    long lost() {
        return sellers.stream().mapToLong(SellerOutcome::lost).sum();
    }

    Waits waits() {
        return Waits.all(sellers.stream().map(SellerOutcome::waits).toList());
    }
}
