package dev.holdfast.examples.shop;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sells one item after the other until none is left, each from a segment of the stock that this seller alone has
 * until it releases it. A sale reads the segment's stock, takes a fixed time, and writes the stock less one.
 */
final class FlashSeller implements Callable<@Nullable Void> {
    private final int process;
    private final Plan plan;
    private final Shop shop;
    private final Till till;
    private final Consumer<Message> parent;

    FlashSeller(int process, Plan plan, Shop shop, Till till, Consumer<Message> parent) {
        this.process = process;
        this.plan = plan;
        this.shop = shop;
        this.till = till;
        this.parent = parent;
    }

    @Override
    public @Nullable Void call() throws InterruptedException {
        boolean more = true;
        while (more) {
            long requested = System.nanoTime();
            more = till.serve(segment -> sell(requested, segment));
        }
        return null;
    }

    private boolean sell(long requested, int segment) throws InterruptedException {
        Duration waited = Duration.ofNanos(System.nanoTime() - requested);
        int left = shop.stock(segment);
        parent.accept(new Message.Acquired(waited, left));
        if (left <= 0) {
            return false;
        }
        TimeUnit.NANOSECONDS.sleep(plan.longestThought().toNanos());
        shop.writeStock(segment, left - 1);
        shop.record(process, segment * plan.segmentStock() + left);
        return true;
    }
}
