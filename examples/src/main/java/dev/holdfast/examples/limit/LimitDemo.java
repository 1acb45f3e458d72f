package dev.holdfast.examples.limit;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Nine processes call a service that allows four calls at once, and one of them is killed in a long call. Prints what the service has
 * counted, and exits with status 0 if there were never more than four calls, and the permit came back when its lease had run out.
 */
public final class LimitDemo {
    private static final int WORKERS = 9;
    private static final int PERMITS = 4;
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration CALM = Duration.ofSeconds(8);

    private LimitDemo() {}

    /**
     * Runs it, prints the events and the table, and exits.
     *
     * @param args none
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length > 0) {
            System.err.println("there must be no arguments, was " + List.of(args));
            System.exit(2);
        }
        LimitOutcome outcome = new LimitRun(WORKERS, PERMITS, LEASE, CALM, System.out::println).run();
        System.out.println();
        outcome.table().forEach(System.out::println);
        System.out.println();
        List<String> complaints = outcome.complaints();
        complaints.forEach(complaint -> System.out.println("OFF: " + complaint));
        System.out.println("Verdict: " + (complaints.isEmpty() ? outcome.verdict() : "not as it must be."));
        System.exit(complaints.isEmpty() ? 0 : 1);
    }
}
