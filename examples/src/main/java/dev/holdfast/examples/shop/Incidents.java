package dev.holdfast.examples.shop;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastStats;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The incidents at the sale of certain items, in a seller that holds the lock, has read the stock and has written
 * nothing. That makes the accounts exact: a killed process leaves no partial sale, and the item that it was about to
 * sell is sold by the next seller.
 */
final class Incidents {
    private final int process;
    private final Plan plan;
    private final Shop shop;
    private final Holdfast holdfast;
    private final Consumer<Message> parent;

    Incidents(int process, Plan plan, Shop shop, Holdfast holdfast, Consumer<Message> parent) {
        this.process = process;
        this.plan = plan;
        this.shop = shop;
        this.holdfast = holdfast;
        this.parent = parent;
    }

    void at(int item) throws InterruptedException {
        if (item == plan.accidentItem() && shop.claimAccident(process)) {
            awaitKill();
        } else if (item == plan.longSaleItem()) {
            takeLong();
        }
    }

    /** The parent kills this process in reply. The lease is renewed until then, however long that takes. */
    private void awaitKill() throws InterruptedException {
        parent.accept(new Message.Holding());
        TimeUnit.DAYS.sleep(1);
    }

    /**
     * No other owner of this client can have the lock while this hold lasts, so the changes of the client's statistics are due to
     * this hold.
     */
    private void takeLong() throws InterruptedException {
        HoldfastStats before = holdfast.stats();
        long began = System.nanoTime();
        parent.accept(new Message.LongSaleBegun());
        TimeUnit.NANOSECONDS.sleep(plan.longSale().toNanos());
        HoldfastStats after = holdfast.stats();
        parent.accept(new Message.LongSaleEnded(
                Duration.ofNanos(System.nanoTime() - began),
                after.renewals() - before.renewals(),
                after.lost() == before.lost()));
    }
}
