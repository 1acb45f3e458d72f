package dev.holdfast.examples.shop;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The ways to hold one lock for one sale. A thread that holds the lock re-enters it for the bookkeeping. A {@link
 * Lease} belongs to its handle and not to a thread, so it cannot be re-entered: the bookkeeping then only checks that
 * the lease is valid.
 */
final class Counters {
    /** The wait of a timed attempt, which is repeated after it. Short, so that a run has attempts of either outcome. */
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private Counters() {}

    /** A counter for each seller of a process: most use plain {@code lock}. */
    static List<Counter> under(DistributedLock lock) {
        return List.of(locking(lock), tryingAsync(lock), locking(lock), leasing(lock), locking(lock), trying(lock));
    }

    /**
     * A counter for a lock that may be lost with a server. The stock refuses a seller that has lost it, and the turn then
     * ends without a sale; so does one that is not granted the lock in time, or whose release is not confirmed.
     */
    static Counter fenced(FencedLock lock, int process) {
        return sale -> {
            try (Lease lease = lock.acquire()) {
                return sale.make(new Counter.Books() {
                    @Override
                    public void enter(Runnable entry) {
                        entry.run();
                    }

                    @Override
                    public Stock stock(Shop shop) {
                        return shop.guarded(process, lease.token());
                    }
                });
            } catch (LeaseLostException | LockException unprotected) {
                return true;
            }
        };
    }

    /** No lock at all. */
    static Counter unprotected() {
        return sale -> sale.make(Runnable::run);
    }

    private static Counter locking(DistributedLock lock) {
        return sale -> {
            lock.lock();
            try {
                return sale.make(entry -> enterAgain(lock, entry));
            } finally {
                lock.unlock();
            }
        };
    }

    private static Counter tryingAsync(DistributedLock lock) {
        return sale -> {
            while (!lock.tryLockAsync(TIMEOUT).join()) {
                // Other sellers had the lock for the whole wait: try again.
            }
            try {
                return sale.make(entry -> enterAgain(lock, entry));
            } finally {
                lock.unlockAsync().join();
            }
        };
    }

    private static Counter leasing(DistributedLock lock) {
        return sale -> {
            try (Lease lease = lock.acquire()) {
                return sale.make(entry -> enterUnder(lease, entry));
            }
        };
    }

    private static Counter trying(DistributedLock lock) {
        return sale -> {
            Optional<Lease> granted = Optional.empty();
            while (granted.isEmpty()) {
                granted = lock.tryAcquire(TIMEOUT);
            }
            try (Lease lease = granted.get()) {
                return sale.make(entry -> enterUnder(lease, entry));
            }
        };
    }

    private static void enterAgain(DistributedLock lock, Runnable entry) {
        lock.lock();
        try {
            entry.run();
        } finally {
            lock.unlock();
        }
    }

    private static void enterUnder(Lease lease, Runnable entry) {
        if (!lease.isValid()) {
            throw new IllegalStateException("the lease on " + lease.name() + " ended within a sale");
        }
        entry.run();
    }
}
