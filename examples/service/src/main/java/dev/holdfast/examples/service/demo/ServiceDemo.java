package dev.holdfast.examples.service.demo;

import java.util.List;

/**
 * Sells the stock of the shop from several processes, kills one of them and stops another in the middle of a sale, and
 * prints the accounts. Exits with status 0 if every piece was nevertheless sold once, and the run met its other
 * expectations ({@code Verdict}).
 *
 * <p>With {@code --no-lock} the same program sells without the lock, without incidents. It exits with status 0 if pieces
 * were sold twice, which is what this run is to show. With {@code --alone} it starts one instance on port 8080, prints
 * commands to try, and runs until it is interrupted.
 */
public final class ServiceDemo {
    private static final String NO_LOCK = "--no-lock";
    private static final String ALONE = "--alone";

    private ServiceDemo() {}

    /**
     * Runs the demo, and exits.
     *
     * @param args nothing, {@code --no-lock}, or {@code --alone}
     */
    public static void main(String[] args) throws InterruptedException {
        List<String> arguments = List.of(args);
        if (arguments.equals(List.of(ALONE))) {
            new Alone(System.out::println).run();
        } else if (arguments.isEmpty()) {
            System.exit(sell(Plan.FULL));
        } else if (arguments.equals(List.of(NO_LOCK))) {
            System.exit(sell(Plan.FULL.withoutLock()));
        } else {
            System.err.println("the arguments must be none, " + NO_LOCK + " or " + ALONE + ", were " + arguments);
            System.exit(2);
        }
    }

    private static int sell(Plan plan) throws InterruptedException {
        Outcome outcome = new ServiceRun(plan, System.out::println).run();
        Verdict verdict = Verdict.on(outcome);
        new Report(outcome, verdict).lines().forEach(System.out::println);
        return verdict.isGood() ? 0 : 1;
    }
}
