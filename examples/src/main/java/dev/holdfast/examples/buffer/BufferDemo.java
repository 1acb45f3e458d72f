package dev.holdfast.examples.buffer;

import java.time.Duration;
import java.util.List;

/**
 * Three processes put items into a bounded buffer, and three take them out; one of these is killed while it has the lock. Prints what
 * each has done, and exits with status 0 if each item was shipped once.
 */
public final class BufferDemo {
    private static final int PRODUCERS = 3;
    private static final int CONSUMERS = 3;
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration CALM = Duration.ofSeconds(10);

    private BufferDemo() {}

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
        BufferOutcome outcome = new BufferRun(PRODUCERS, CONSUMERS, LEASE, CALM, System.out::println).run();
        System.out.println();
        outcome.table().forEach(System.out::println);
        System.out.println();
        List<String> complaints = outcome.complaints();
        complaints.forEach(complaint -> System.out.println("OFF: " + complaint));
        System.out.println("Verdict: " + (complaints.isEmpty() ? outcome.verdict() : "not as it must be."));
        System.exit(complaints.isEmpty() ? 0 : 1);
    }
}
