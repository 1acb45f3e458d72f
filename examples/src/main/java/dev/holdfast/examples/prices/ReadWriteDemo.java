package dev.holdfast.examples.prices;

import java.time.Duration;
import java.util.List;

/**
 * Eight processes read a price list under the read lock, and one writes it under the write lock; a reader is killed. Prints the longest
 * waits, and exits with status 0 if each reader has seen whole price lists alone.
 */
public final class ReadWriteDemo {
    private static final int READERS = 8;
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration CALM = Duration.ofSeconds(9);

    private ReadWriteDemo() {}

    /**
     * Runs it, prints the events and the table, and exits.
     *
     * @param args none
     */
    public static void main(String[] args) throws InterruptedException {
        if (args.length > 0) {
            System.err.println("there must be no arguments, was " + List.of(args));
            System.exit(2);
        }
        PricesOutcome outcome = new PricesRun(READERS, LEASE, CALM, System.out::println).run();
        System.out.println();
        outcome.table().forEach(System.out::println);
        System.out.println();
        List<String> complaints = outcome.complaints();
        complaints.forEach(complaint -> System.out.println("OFF: " + complaint));
        System.out.println("Verdict: " + (complaints.isEmpty() ? outcome.verdict() : "not as it must be."));
        System.exit(complaints.isEmpty() ? 0 : 1);
    }
}
