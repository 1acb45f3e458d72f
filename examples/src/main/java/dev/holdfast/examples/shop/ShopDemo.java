package dev.holdfast.examples.shop;

import java.util.List;

/**
 * Sells a thousand items from nine processes under one lock, and prints the accounts. One process is killed while it
 * holds the lock, and one sale takes three times as long as a lease. Exits with status 0 if every item was nevertheless
 * sold once, and the run met its other expectations ({@code Verdict}).
 *
 * <p>With {@code --without-lock} the same program sells without the lock, and no process is killed. It exits with
 * status 0 if items were sold twice, which is what this run is to show.
 */
public final class ShopDemo {
    private static final String WITHOUT_LOCK = "--without-lock";

    private ShopDemo() {}

    /**
     * Runs the shop, prints the accounts, and exits.
     *
     * @param args nothing, or {@code --without-lock}
     */
    public static void main(String[] args) throws InterruptedException {
        List<String> arguments = List.of(args);
        if (!List.of(WITHOUT_LOCK).containsAll(arguments)) {
            System.err.println("the only argument must be " + WITHOUT_LOCK + ", was " + arguments);
            System.exit(2);
        }
        Plan plan = arguments.contains(WITHOUT_LOCK) ? Plan.FULL.withoutLock() : Plan.FULL;
        Outcome outcome = new ShopRun(plan, System.out::println).run();
        Verdict verdict = Verdict.on(outcome);
        new Report(outcome, verdict).lines().forEach(System.out::println);
        System.exit(verdict.isGood() ? 0 : 1);
    }
}
