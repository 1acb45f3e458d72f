package dev.holdfast.examples.shop;

import java.time.Duration;
import java.util.List;

/**
 * The parameters of one run of the shop.
 *
 * @param locked whether the stock is sold under the lock
 * @param processes how many processes sell
 * @param threads how many sellers each process has
 * @param stock how many items there are; they are numbered from this number down to 1
 * @param watchdogTimeout the lease of a hold that is not renewed
 * @param longestThought the longest pause of a seller between reading the stock and writing it; in a flash sale, the
 *     length of each
 * @param segments in a flash sale, the number of segments that the stock is divided into, 1 for one lock over all of it;
 *     0 if it is none
 * @param topology on which servers the lock is; if these have replicas, the master of the lock is killed in the middle of
 *     the sale
 */
record Plan(
        boolean locked,
        int processes,
        int threads,
        int stock,
        Duration watchdogTimeout,
        Duration longestThought,
        int segments,
        Topology topology) {
    /** The name of the one lock. */
    static final String LOCK = "shop:stock";

    /** The plan of the command line: nine processes sell a thousand items in about half a minute. */
    static final Plan FULL =
            new Plan(true, 9, 4, 1_000, Duration.ofSeconds(3), Duration.ofMillis(8), 0, Topology.STANDALONE);

    /** The flash sale under one lock: 45 sellers, each of whose sales holds its lock for 20 ms. */
    static final Plan FLASH =
            new Plan(true, 9, 5, 1_000, Duration.ofSeconds(3), Duration.ofMillis(20), 1, Topology.STANDALONE);

    private static final int NO_ITEM = 0;

    private static final Duration OUTLASTING = Duration.ofSeconds(10);

    Plan {
        if (segments > 0 && stock % segments != 0) {
            throw new IllegalArgumentException(
                    "the segments must be of equal size, but " + stock + " items are to be in " + segments);
        }
    }

    /** The same shop without the lock, without a kill, and without a long sale. */
    Plan withoutLock() {
        return new Plan(false, processes, threads, stock, watchdogTimeout, longestThought, 0, topology);
    }

    /** The same flash sale of a stock in so many segments. */
    Plan inSegments(int number) {
        return new Plan(locked, processes, threads, stock, watchdogTimeout, longestThought, number, topology);
    }

    /** The same shop, with a lock whose lease is longer than a failover of these servers takes. */
    Plan on(Topology servers) {
        return new Plan(locked, processes, threads, stock, OUTLASTING, longestThought, segments, servers);
    }

    /** Whether the master of the lock is killed. */
    boolean failsOver() {
        return topology != Topology.STANDALONE;
    }

    /** The number of items left at which it is killed. */
    int failoverItem() {
        return stock / 2;
    }

    boolean isFlash() {
        return segments > 0;
    }

    /** The number of items in each segment. */
    int segmentStock() {
        return stock / segments;
    }

    /** Whether a process is killed, and a sale is long. */
    boolean hasIncidents() {
        return locked && !isFlash() && !failsOver();
    }

    /** The item during whose sale the first process that reaches it is killed while it holds the lock; 0 for none. */
    int accidentItem() {
        return hasIncidents() ? stock * 7 / 10 : NO_ITEM;
    }

    /** The item whose sale takes {@link #longSale()}; 0 for none. */
    int longSaleItem() {
        return hasIncidents() ? stock * 4 / 10 : NO_ITEM;
    }

    /** How long the long sale holds the lock: three leases. */
    Duration longSale() {
        return watchdogTimeout.multipliedBy(3);
    }

    /**
     * The longest time for which the lock of a killed holder may stay: its lease, and a second in which a busy machine
     * can react.
     */
    Duration longestStay() {
        return watchdogTimeout.plusSeconds(1);
    }

    /** The time limit of the sales, after which the run counts as stuck. */
    Duration limit() {
        return Duration.ofSeconds(failsOver() ? 90 : 60);
    }

    /** The plan as arguments of a process; {@link #parse} reads them. */
    List<String> toArguments() {
        return List.of(
                Boolean.toString(locked),
                Integer.toString(processes),
                Integer.toString(threads),
                Integer.toString(stock),
                watchdogTimeout.toString(),
                longestThought.toString(),
                Integer.toString(segments),
                topology.name());
    }

    static Plan parse(List<String> arguments) {
        return new Plan(
                Boolean.parseBoolean(arguments.get(0)),
                Integer.parseInt(arguments.get(1)),
                Integer.parseInt(arguments.get(2)),
                Integer.parseInt(arguments.get(3)),
                Duration.parse(arguments.get(4)),
                Duration.parse(arguments.get(5)),
                Integer.parseInt(arguments.get(6)),
                Topology.valueOf(arguments.get(7)));
    }
}
