package dev.holdfast.testkit.junit.samples;

import dev.holdfast.DistributedLock;

/** A report that one instance of the application writes. */
final class Report {
    private final DistributedLock lock;

    Report(DistributedLock lock) {
        this.lock = lock;
    }

    /** {@return whether it was written; false if another instance does} */
    boolean write() {
        if (!lock.tryLock()) {
            return false;
        }
        lock.unlock();
        return true;
    }
}
