package dev.holdfast.examples.shop;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.SegmentLease;
import dev.holdfast.SegmentedLock;
import java.util.concurrent.atomic.AtomicReference;

/** The ways to lock the stock of a flash sale. */
final class Tills {
    private Tills() {}

    /** @param stock the name of the stock */
    static Till of(Holdfast holdfast, String stock, Plan plan) {
        return plan.segments() > 1
                ? segmented(holdfast.getSegmentedLock(stock, plan.segments()))
                : whole(holdfast.getLock(stock));
    }

    private static Till whole(DistributedLock lock) {
        return sale -> {
            lock.lock();
            try {
                return sale.make(0);
            } finally {
                lock.unlock();
            }
        };
    }

    private static Till segmented(SegmentedLock lock) {
        AtomicReference<SegmentedLock> inStock = new AtomicReference<>(lock);
        return sale -> {
            SegmentedLock left = inStock.get();
            if (left.isEmpty()) {
                return false;
            }
            try (SegmentLease part = left.acquire()) {
                if (!sale.make(part.segment())) {
                    inStock.updateAndGet(known -> known.without(part.segment()));
                }
            }
            return true;
        };
    }
}
