package dev.holdfast.spring.locked;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait for a lock, and for how long to request it.
 *
 * @param waitFor null for no limit
 * @param lease null for a hold that is renewed
 */
record Timing(@Nullable Duration waitFor, @Nullable Duration lease) {
    /** The longest wait there is; one that an interrupt ends, unlike that without a limit. */
    private static final Duration CENTURY = Duration.ofDays(36_525);

    /** {@return whether the lock is held by the calling thread} */
    boolean acquire(DistributedLock lock) throws InterruptedException {
        if (waitFor != null) {
            return lease == null ? lock.tryLock(waitFor) : lock.tryLock(waitFor, lease);
        }
        if (lease == null) {
            lock.lockInterruptibly();
        } else {
            lock.lockInterruptibly(lease);
        }
        return true;
    }

    /** {@return a handle that owns the lock, or empty if it stayed busy} */
    Optional<? extends Lease> acquireHandle(LeaseSource leases) throws InterruptedException {
        return leases.tryAcquire(waitFor == null ? CENTURY : waitFor, lease);
    }
}
