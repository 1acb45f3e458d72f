package dev.holdfast.examples.shop;

import java.util.ArrayList;
import java.util.List;

/**
 * Sells a thousand items from nine processes under one lock, and prints the accounts. One process is killed while it
 * holds the lock, and one sale takes three times as long as a lease. Exits with status 0 if every item was nevertheless
 * sold once, and the run met its other expectations ({@code Verdict}).
 *
 * <p>With {@code --without-lock} the same program sells without the lock, and no process is killed. It exits with
 * status 0 if items were sold twice, which is what this run is to show.
 *
 * <p>With {@code --segments 20} it makes a flash sale, in which each sale holds its lock for 20 ms: first under one lock,
 * then with the stock in 20 segments that have a lock each. It exits with status 0 if every item was sold once in both.
 *
 * <p>With {@code --topology cluster} or {@code --topology sentinel} the lock is fenced and on servers with replicas, and
 * the master of the lock is killed in the middle of the sale. It exits with status 0 if every item was sold once.
 */
public final class ShopDemo {
    private static final String WITHOUT_LOCK = "--without-lock";
    private static final String SEGMENTS = "--segments";
    private static final String TOPOLOGY = "--topology";

    private ShopDemo() {}

    /**
     * Runs the shop, prints the accounts, and exits.
     *
     * @param args nothing, {@code --without-lock}, {@code --segments} and their number, or {@code --topology} and its name
     */
    public static void main(String[] args) throws InterruptedException {
        List<Plan> plans = plans(List.of(args));
        if (plans.isEmpty()) {
            System.err.println("the arguments must be " + WITHOUT_LOCK + ", or " + SEGMENTS
                    + " and a number from 2 by which " + Plan.FLASH.stock() + " can be divided, or " + TOPOLOGY
                    + " and " + Topology.CLUSTER.word() + " or " + Topology.SENTINEL.word() + ", were "
                    + List.of(args));
            System.exit(2);
        }
        List<Outcome> outcomes = new ArrayList<>();
        boolean good = true;
        for (Plan plan : plans) {
            Outcome outcome = new ShopRun(plan, System.out::println).run();
            Verdict verdict = Verdict.on(outcome);
            new Report(outcome, verdict).lines().forEach(System.out::println);
            outcomes.add(outcome);
            good &= verdict.isGood();
        }
        if (outcomes.size() > 1) {
            new Comparison(outcomes).lines().forEach(System.out::println);
        }
        System.exit(good ? 0 : 1);
    }

    /** {@return the runs that the arguments ask for; none if they are wrong} */
    static List<Plan> plans(List<String> arguments) {
        if (arguments.isEmpty()) {
            return List.of(Plan.FULL);
        }
        if (arguments.equals(List.of(WITHOUT_LOCK))) {
            return List.of(Plan.FULL.withoutLock());
        }
        if (arguments.size() == 2 && arguments.get(0).equals(TOPOLOGY)) {
            return Topology.replicated(arguments.get(1))
                    .map(topology -> List.of(Plan.FULL.on(topology)))
                    .orElse(List.of());
        }
        if (arguments.size() == 2
                && arguments.get(0).equals(SEGMENTS)
                && arguments.get(1).matches("\\d{1,3}")) {
            int segments = Integer.parseInt(arguments.get(1));
            if (segments > 1 && Plan.FLASH.stock() % segments == 0) {
                return List.of(Plan.FLASH, Plan.FLASH.inSegments(segments));
            }
        }
        return List.of();
    }
}
