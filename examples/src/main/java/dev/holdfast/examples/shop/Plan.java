package dev.holdfast.examples.shop;

import java.time.Duration;
import java.util.List;

/**
 * What one run of the shop does.
 *
 * @param locked whether the stock is sold under the lock
 * @param processes how many processes sell
 * @param threads how many sellers each process has
 * @param stock how many items there are; they are numbered from here down to 1
 * @param watchdogTimeout the lease of a hold that is not renewed
 * @param longestThought how long a seller thinks at most between reading the stock and writing it
 */
record Plan(boolean locked, int processes, int threads, int stock, Duration watchdogTimeout, Duration longestThought) {
    /** The name of the one lock. */
    static final String LOCK = "shop:stock";

    /** What a command line shows: nine processes sell a thousand items in about half a minute. */
    static final Plan FULL = new Plan(true, 9, 4, 1_000, Duration.ofSeconds(3), Duration.ofMillis(8));

    private static final int NO_ITEM = 0;

    /** The same shop, sold by sellers who do not know of each other; nobody is killed, and no sale is long. */
    Plan withoutLock() {
        return new Plan(false, processes, threads, stock, watchdogTimeout, longestThought);
    }

    /** The process that is first to sell this item is killed while it holds the lock. */
    int accidentItem() {
        return locked ? stock * 7 / 10 : NO_ITEM;
    }

    /** The sale of this item takes {@link #longSale()}. */
    int longSaleItem() {
        return locked ? stock * 4 / 10 : NO_ITEM;
    }

    /** How long the long sale holds the lock: three leases. */
    Duration longSale() {
        return watchdogTimeout.multipliedBy(3);
    }

    /** How long a killed holder's lock may stay: its lease, and a second for a busy machine to notice. */
    Duration longestStay() {
        return watchdogTimeout.plusSeconds(1);
    }

    /** How long the selling may take before the run counts as stuck. */
    Duration limit() {
        return Duration.ofSeconds(60);
    }

    /** The plan as arguments of a process; {@link #parse} reads them. */
    List<String> toArguments() {
        return List.of(
                Boolean.toString(locked),
                Integer.toString(processes),
                Integer.toString(threads),
                Integer.toString(stock),
                watchdogTimeout.toString(),
                longestThought.toString());
    }

    static Plan parse(List<String> arguments) {
        return new Plan(
                Boolean.parseBoolean(arguments.get(0)),
                Integer.parseInt(arguments.get(1)),
                Integer.parseInt(arguments.get(2)),
                Integer.parseInt(arguments.get(3)),
                Duration.parse(arguments.get(4)),
                Duration.parse(arguments.get(5)));
    }
}
