package dev.holdfast.examples.shop;

import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One run from the opening to the last sale, in a process without sellers of its own: starts a Redis and the processes,
 * signals them to begin together, prints the progress every second, and collects the outcome. No process that it starts
 * outlives it, however it ends.
 */
final class ShopRun {
    private static final Duration START_WITHIN = Duration.ofSeconds(60);
    private static final Duration PROGRESS_EVERY = Duration.ofSeconds(1);
    private static final Duration POLL_EVERY = Duration.ofMillis(20);

    private final Plan plan;
    private final Consumer<String> out;
    private final Observations observations;

    ShopRun(Plan plan, Consumer<String> out) {
        this.plan = plan;
        this.out = out;
        this.observations = new Observations(plan);
    }

    Outcome run() throws InterruptedException {
        try (RedisServer redis = RedisServer.builder().start();
                Shop shop = Shop.at(redis.uri())) {
            stockUp(shop);
            out.accept("Redis " + redis.version() + " is up. Starting " + plan.processes() + " processes with "
                    + plan.threads() + " sellers each, to sell " + plan.stock() + " items "
                    + how());
            if (!plan.failsOver()) {
                return sell(new Addresses(redis.uri(), redis.uri()), shop, () -> {});
            }
            try (LockRedis servers = LockRedis.start(plan.topology())) {
                out.accept("The lock is on " + servers.description() + ". Its master is killed when half is sold.");
                return sell(new Addresses(redis.uri(), servers.uri()), shop, servers::killMaster);
            }
        }
    }

    private void stockUp(Shop shop) {
        shop.writeStock(plan.stock());
        shop.stockUpGuarded(plan.stock());
        for (int segment = 0; segment < plan.segments(); segment++) {
            shop.writeStock(segment, plan.segmentStock());
        }
    }

    private int stock(Shop shop) {
        if (plan.failsOver()) {
            return shop.guardedStock();
        }
        return plan.isFlash() ? shop.stockOf(plan.segments()) : shop.stock();
    }

    private String how() {
        if (!plan.locked()) {
            return "without a lock";
        }
        return plan.segments() > 1
                ? "under one of " + plan.segments() + " locks, each of which is for " + plan.segmentStock() + " items"
                : "under the lock " + Plan.LOCK + ", whose lease is " + Text.seconds(plan.watchdogTimeout());
    }

    private Outcome sell(Addresses redis, Shop shop, Runnable killMaster) throws InterruptedException {
        List<Child> children = new ArrayList<>();
        Thread killAll = new Thread(() -> children.forEach(Child::close), "end-of-children");
        Runtime.getRuntime().addShutdownHook(killAll);
        try {
            for (int number = 1; number <= plan.processes(); number++) {
                children.add(Child.start(redis, number, plan, observations));
            }
            return watch(children, shop, killMaster);
        } finally {
            children.forEach(Child::close);
            forget(killAll);
        }
    }

    private static void forget(Thread shutdownHook) {
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException shuttingDown) {
            // The hook is running already, and does the same.
        }
    }

    private Outcome watch(List<Child> children, Shop shop, Runnable killMaster) throws InterruptedException {
        awaitReady(children);
        long began = System.nanoTime();
        children.forEach(Child::go);
        awaitEnd(children, shop, began, killMaster);
        for (Child child : children) {
            child.awaitEnd(Duration.ZERO);
        }
        Duration took = Duration.ofNanos(observations.endNanos().orElseGet(System::nanoTime) - began);
        return new Outcome(
                plan,
                shop.ledger(),
                stock(shop),
                took,
                observations.sellers(),
                observations.accident(),
                observations.longSale(),
                observations.failover());
    }

    private void awaitReady(List<Child> children) throws InterruptedException {
        long began = System.nanoTime();
        while (!observations.notReady().await(POLL_EVERY.toNanos(), TimeUnit.NANOSECONDS)) {
            if (!children.stream().allMatch(Child::isAlive)) {
                throw new IllegalStateException("a process ended before it was ready");
            }
            if (System.nanoTime() - began > START_WITHIN.toNanos()) {
                throw new IllegalStateException("not all processes were ready within " + START_WITHIN);
            }
        }
    }

    private void awaitEnd(List<Child> children, Shop shop, long began, Runnable killMaster)
            throws InterruptedException {
        long nextProgress = PROGRESS_EVERY.toNanos();
        long elapsed = 0;
        boolean fails = plan.failsOver();
        while (elapsed < plan.limit().toNanos() && children.stream().anyMatch(Child::isAlive)) {
            TimeUnit.NANOSECONDS.sleep(POLL_EVERY.toNanos());
            elapsed = System.nanoTime() - began;
            if (fails && stock(shop) <= plan.failoverItem()) {
                fails = false;
                observations.killingMaster();
                killMaster.run();
            }
            if (elapsed >= nextProgress) {
                out.accept(String.format(
                                Locale.ROOT,
                                "%3d s  %4d left  %5d sold  %s",
                                TimeUnit.NANOSECONDS.toSeconds(elapsed),
                                stock(shop),
                                shop.sales(),
                                observations.headline())
                        .stripTrailing());
                nextProgress += PROGRESS_EVERY.toNanos();
            }
        }
    }
}
