package dev.holdfast.examples.stale;

import java.time.Duration;
import java.util.List;

/**
 * Stops a holder of a lock for longer than its lease, has another process acquire the lock and write, and resumes the
 * first. With the guard beside the data, the late write is refused; without it, it overwrites what the other process
 * has written. Exits with status 0 if both was observed.
 */
public final class StaleHolderDemo {
    private static final Duration LEASE = Duration.ofSeconds(3);

    private StaleHolderDemo() {}

    /**
     * Runs both cases, prints the events, and exits.
     *
     * @param args none
     */
    public static void main(String[] args) throws InterruptedException {
        if (args.length > 0) {
            System.err.println("there must be no arguments, was " + List.of(args));
            System.exit(2);
        }
        boolean guarded = shows(true);
        boolean unguarded = shows(false);
        System.exit(guarded && unguarded ? 0 : 1);
    }

    private static boolean shows(boolean guarded) throws InterruptedException {
        System.out.println(guarded ? "With the guard:" : "Without the guard:");
        Outcome outcome = new StaleHolderRun(guarded, LEASE, System.out::println).run();
        List<String> complaints = outcome.complaints();
        complaints.forEach(complaint -> System.out.println("OFF: " + complaint));
        System.out.println("Verdict: " + (complaints.isEmpty() ? outcome.verdict() : "not as it must be."));
        System.out.println();
        return complaints.isEmpty();
    }
}
