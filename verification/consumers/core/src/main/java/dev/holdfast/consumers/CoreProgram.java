package dev.holdfast.consumers;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.MultiLock;
import java.time.Duration;

/** Uses the locks of holdfast-core as its README does: arguments are the URI of a Redis, and a prefix for locks. */
public final class CoreProgram {
    private CoreProgram() {}

    public static void main(String[] args) throws Exception {
        try (Holdfast holdfast = Holdfast.connect(args[0]);
                Holdfast other = Holdfast.connect(args[0])) {
            DistributedLock lock = holdfast.getLock(args[1] + "orders");
            lock.lock();
            try {
                check(!other.getLock(args[1] + "orders").tryLock(), "a lock that is held is busy");
            } finally {
                lock.unlock();
            }
            // Waits for a message, by the subscriptions.
            Lease held = lock.acquire();
            var waiting = other.getLock(args[1] + "orders").acquireAsync();
            held.close();
            try (Lease next = waiting.get()) {
                check(next.isValid(), "a waiter gets the lock");
            }
            check(lock.tryLock(Duration.ofSeconds(5)), "a lock that was released is free");
            lock.unlock();
            MultiLock both = Holdfast.multiLock(lock, holdfast.getLock(args[1] + "stock"));
            both.lock();
            both.unlock();
        }
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new AssertionError(rule);
        }
    }
}
