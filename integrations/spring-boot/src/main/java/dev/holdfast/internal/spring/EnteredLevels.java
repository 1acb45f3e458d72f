package dev.holdfast.internal.spring;

import dev.holdfast.DistributedLock;
import dev.holdfast.LeaseLostException;

/**
 * How often a thread has entered the hold of a lock. A hold that the client does not count as valid need not be lost:
 * while the machine seems to have been suspended, no hold counts as valid until Redis has confirmed it. To unlock such
 * a hold in order to get the exception of its loss would release the lock, so a re-entry asks Redis first.
 */
public final class EnteredLevels {
    private EnteredLevels() {}

    /**
     * {@return how often the calling thread has entered its present hold of the lock; 0 if it has none, or has lost it}
     * Local while the client counts the hold as valid. Otherwise the lock is acquired without waiting, and released
     * again: a re-entry of a hold that is not lost, and else a hold of its own.
     *
     * @throws dev.holdfast.LockException if Redis failed or did not answer; the hold may be lost or not
     */
    public static int of(DistributedLock lock) {
        int count = lock.getHoldCount();
        return count > 0 ? count : confirmedBy(lock);
    }

    private static int confirmedBy(DistributedLock lock) {
        try {
            if (!lock.tryLock()) {
                return 0;
            }
            try {
                return Math.max(0, of(lock) - 1);
            } finally {
                lock.unlock();
            }
        } catch (LeaseLostException | IllegalStateException e) {
            // Redis has replied that the hold is gone, or the client is closed, which ends its holds.
            return 0;
        }
    }
}
