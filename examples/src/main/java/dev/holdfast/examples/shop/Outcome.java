package dev.holdfast.examples.shop;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * All there is to know about a run that ended.
 *
 * @param plan what was to happen
 * @param ledger the sales
 * @param left the stock at the end
 * @param took from the first seller's start to the last one's end
 * @param sellers one for each process
 * @param accident the kill, if there was one
 * @param longSale the long sale, if it came to its end
 */
record Outcome(
        Plan plan,
        Ledger ledger,
        int left,
        Duration took,
        List<SellerOutcome> sellers,
        Optional<Accident> accident,
        Optional<LongSale> longSale) {
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
     * @param waits one for each time it acquired the lock, re-entries not counted
     * @param renewals of its leases; not known of a process that was killed, and 0
     * @param lost leases; likewise
     * @param end how it ended
     * @param failure why it failed, or empty
     */
    record SellerOutcome(int process, Waits waits, long renewals, long lost, End end, String failure) {}

    /**
     * A process was killed while it held the lock.
     *
     * @param process its number
     * @param stayed from the kill to when somebody acquired the lock, if anybody did
     */
    record Accident(int process, Optional<Duration> stayed) {}

    /**
     * A sale that took longer than a lease.
     *
     * @param process who made it
     * @param held how long it held the lock
     * @param renewals of its lease
     * @param kept whether the lease was held without a gap
     */
    record LongSale(int process, Duration held, long renewals, boolean kept) {}

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
