package dev.holdfast.examples.shop;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.SegmentLease;
import dev.holdfast.SegmentedLock;
import java.util.concurrent.atomic.AtomicReference;

/** The ways to lock the stock of a flash sale. */
final class Tills {
    private Tills() {}

    static Till of(Holdfast holdfast, Plan plan) {
        return plan.segments() > 1
                ? segmented(holdfast.getSegmentedLock(Plan.LOCK, plan.segments()))
                : whole(holdfast.getLock(Plan.LOCK));
    }

    /** Uses locks of other names once, so that what is measured is the sale, not the start of a JVM. */
    static void rehearse(Holdfast holdfast, Plan plan) {
        SegmentedLock rehearsal = holdfast.getSegmentedLock("shop:rehearsal", plan.segments());
        for (int i = 0; i < plan.segments(); i++) {
            rehearsal.acquire().close();
        }
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
