package dev.holdfast.examples.shop;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sells one item after the other until none is left. A sale reads the stock, pauses, and writes the stock less one. If
 * another seller reads the stock in between, both sell the same item.
 */
final class Seller implements Callable<@Nullable Void> {
    private final int process;
    private final Plan plan;
    private final Shop shop;
    private final Counter counter;
    private final Incidents incidents;
    private final Consumer<Message> parent;

    Seller(int process, Plan plan, Shop shop, Counter counter, Incidents incidents, Consumer<Message> parent) {
        this.process = process;
        this.plan = plan;
        this.shop = shop;
        this.counter = counter;
        this.incidents = incidents;
        this.parent = parent;
    }

    @Override
    public @Nullable Void call() throws InterruptedException {
        boolean more = true;
        while (more) {
            long requested = System.nanoTime();
            more = counter.serve(books -> sell(requested, books));
        }
        return null;
    }

    private boolean sell(long requested, Counter.Books books) throws InterruptedException {
        Duration waited = Duration.ofNanos(System.nanoTime() - requested);
        Stock stock = books.stock(shop);
        OptionalInt left = stock.left();
        if (left.isEmpty()) {
            return true;
        }
        int item = left.getAsInt();
        parent.accept(new Message.Acquired(waited, item));
        if (item <= 0) {
            return false;
        }
        incidents.at(item);
        TimeUnit.NANOSECONDS.sleep(
                ThreadLocalRandom.current().nextLong(plan.longestThought().toNanos()));
        if (stock.write(item - 1)) {
            books.enter(() -> shop.record(process, item));
        }
        return true;
    }
}
