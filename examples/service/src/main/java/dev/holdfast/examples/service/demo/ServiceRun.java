package dev.holdfast.examples.service.demo;

import dev.holdfast.examples.service.demo.Outcome.InstanceOutcome;
import dev.holdfast.examples.service.demo.Outcome.Meters;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.springframework.web.client.RestClientException;

/**
 * One sale, from the start of the servers to the last request: prints the progress every second, causes the incidents,
 * and collects the outcome. No process that it starts outlives it, however it ends.
 */
final class ServiceRun {
    private static final Duration PROGRESS_EVERY = Duration.ofSeconds(1);
    private static final Duration POLL_EVERY = Duration.ofMillis(20);

    private final Plan plan;
    private final Consumer<String> out;

    ServiceRun(Plan plan, Consumer<String> out) {
        this.plan = plan;
        this.out = out;
    }

    /** @throws IllegalStateException if a server cannot be started */
    Outcome run() throws InterruptedException {
        out.accept("Starting PostgreSQL, Redis, and " + plan.instances() + " instances of the shop.");
        try (Surroundings surroundings = Surroundings.start()) {
            return run(surroundings);
        }
    }

    Outcome run(Surroundings surroundings) throws InterruptedException {
        surroundings.ledger().stockUp(Plan.ITEM, plan.stock());
        List<String> properties = new ArrayList<>(surroundings.properties());
        properties.add("shop.lock=" + plan.locked());
        try (Fleet fleet = Fleet.start(plan.instances(), properties)) {
            URI observed = fleet.at(0).url().orElseThrow();
            Actuator actuator = new Actuator(observed);
            out.accept("All are ready; holdfast is " + actuator.health() + ". " + plan.customers()
                    + " customers buy " + plan.stock() + " pieces "
                    + (plan.locked() ? "under the lock " + Sale.LOCK : "without a lock")
                    + ", by POST " + observed + "/items/" + Plan.ITEM + "/sales and the like.");
            try (Customers customers = Customers.start(plan.customers(), fleet)) {
                return new Sale(surroundings, fleet, customers, actuator).observe();
            }
        }
    }

    /** A sale that is under way. */
    private final class Sale {
        static final String LOCK = "item:" + Plan.ITEM;

        private final BankServer bank;
        private final Ledger ledger;
        private final Fleet fleet;
        private final Customers customers;
        private final Actuator actuator;
        private final long began = System.nanoTime();
        private long nextProgress = PROGRESS_EVERY.toNanos();

        Sale(Surroundings surroundings, Fleet fleet, Customers customers, Actuator actuator) {
            this.bank = surroundings.bank();
            this.ledger = surroundings.ledger();
            this.fleet = fleet;
            this.customers = customers;
            this.actuator = actuator;
        }

        Outcome observe() throws InterruptedException {
            Optional<Instant> killed = Optional.empty();
            Optional<Instant> stopped = Optional.empty();
            if (plan.locked()) {
                killed = kill();
                stopped = stopForLong();
            }
            await(() -> false);
            return outcome(Duration.ofNanos(System.nanoTime() - began), killed, stopped);
        }

        private Optional<Instant> kill() throws InterruptedException {
            await(() -> sold() >= plan.killAt());
            Instance victim = fleet.at(Plan.KILLED);
            Optional<Instant> killed = inTheMiddleOfASale(victim, victim::kill);
            if (killed.isPresent()) {
                out.accept("       " + victim.name() + " was killed in the middle of a sale, and is started again");
                fleet.restart(Plan.KILLED);
            }
            return killed;
        }

        private Optional<Instant> stopForLong() throws InterruptedException {
            await(() -> sold() >= plan.stopAt());
            awaitSaleOfTheRestarted();
            Instance victim = fleet.at(Plan.STOPPED);
            Optional<Instant> stopped = inTheMiddleOfASale(victim, victim::pause);
            if (stopped.isPresent()) {
                out.accept("       " + victim.name() + " was stopped in the middle of a sale");
                int enough = Math.min(sold() + plan.soldMeanwhile(), plan.stock());
                await(() -> sold() >= enough);
                victim.resume();
                out.accept("       " + victim.name() + " continues; others have sold meanwhile");
            }
            return stopped;
        }

        /** Keeps the rest of the stock for it: on a busy machine the others can sell everything before it is ready. */
        private void awaitSaleOfTheRestarted() throws InterruptedException {
            fleet.openOnly(Plan.KILLED);
            await(() -> sales(fleet.at(Plan.KILLED)) > 0);
            fleet.openAll();
        }

        /** Between reading the stock and writing it, so that the victim holds the lock. */
        private Optional<Instant> inTheMiddleOfASale(Instance victim, Runnable incident) throws InterruptedException {
            AtomicReference<Instant> when = new AtomicReference<>();
            bank.interruptNext(victim.name(), () -> {
                incident.run();
                when.set(Instant.now());
            });
            await(() -> when.get() != null);
            return Optional.ofNullable(when.get());
        }

        private int sold() {
            return ledger.sold(Plan.ITEM);
        }

        private int sales(Instance instance) {
            return ledger.soldBy(Plan.ITEM).getOrDefault(instance.name(), 0);
        }

        /** Returns when the condition is true, when all customers are done, or at the end of the run's time. */
        private void await(BooleanSupplier condition) throws InterruptedException {
            while (!customers.areDone() && elapsed() < Plan.LIMIT.toNanos() && !condition.getAsBoolean()) {
                Thread.sleep(POLL_EVERY.toMillis());
                if (elapsed() >= nextProgress) {
                    out.accept(progress());
                    nextProgress += PROGRESS_EVERY.toNanos();
                }
            }
        }

        private long elapsed() {
            return System.nanoTime() - began;
        }

        private String progress() {
            return String.format(
                    Locale.ROOT,
                    "%3d s  %4d left  %5d sold%s",
                    Duration.ofNanos(elapsed()).toSeconds(),
                    ledger.left(Plan.ITEM),
                    sold(),
                    plan.locked() ? "  lock " + lock() : "");
        }

        /** An instance may reply with an error, since it has no answer from Redis: this ends neither the sale nor its display. */
        private String lock() {
            try {
                return actuator.lock(LOCK);
            } catch (RestClientException e) {
                return "unknown, " + e.getMessage();
            }
        }

        private Outcome outcome(Duration took, Optional<Instant> killed, Optional<Instant> stopped) {
            return new Outcome(
                    plan,
                    sold(),
                    ledger.soldAgain(Plan.ITEM),
                    ledger.left(Plan.ITEM),
                    customers.count(Reply.REFUSED),
                    customers.count(Reply.UNAVAILABLE),
                    customers.count(Reply.UNANSWERED),
                    customers.count(Reply.UNEXPECTED),
                    instances(),
                    killed.flatMap(when -> ledger.standstillAt(Plan.ITEM, when)),
                    stopped.flatMap(when -> ledger.standstillAt(Plan.ITEM, when)),
                    took);
        }

        private List<InstanceOutcome> instances() {
            Map<String, Integer> sales = ledger.soldBy(Plan.ITEM);
            List<InstanceOutcome> outcomes = new ArrayList<>();
            for (Instance gone : fleet.killed()) {
                outcomes.add(new InstanceOutcome(
                        gone.name(), sales.getOrDefault(gone.name(), 0), Optional.empty(), "killed"));
            }
            for (int place = 0; place < plan.instances(); place++) {
                Instance instance = fleet.at(place);
                Optional<Meters> meters = instance.url()
                        .map(Actuator::new)
                        .map(shown -> new Meters(shown.count("holdfast.acquired"), shown.count("holdfast.lost")));
                outcomes.add(new InstanceOutcome(
                        instance.name(), sales.getOrDefault(instance.name(), 0), meters, remark(place)));
            }
            outcomes.sort(Comparator.comparing(InstanceOutcome::name));
            return outcomes;
        }

        private String remark(int place) {
            if (!plan.locked() || (place != Plan.KILLED && place != Plan.STOPPED)) {
                return "";
            }
            return place == Plan.KILLED ? "started again" : "stopped, and continued";
        }
    }
}
