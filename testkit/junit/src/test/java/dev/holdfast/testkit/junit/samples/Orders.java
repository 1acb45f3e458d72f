package dev.holdfast.testkit.junit.samples;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import java.time.Duration;

/** Orders, which are accepted one at a time, and not while Redis is unreachable. */
final class Orders {
    static final Duration LONGEST_IMPORT = Duration.ofMinutes(10);

    private final DistributedLock lock;

    Orders(DistributedLock lock) {
        this.lock = lock;
    }

    boolean accept() {
        try {
            lock.runLocked(() -> {});
            return true;
        } catch (LockException e) {
            return false;
        }
    }

    Lease beginImport() {
        return lock.acquire(LONGEST_IMPORT);
    }
}
