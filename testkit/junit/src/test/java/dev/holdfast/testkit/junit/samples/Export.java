package dev.holdfast.testkit.junit.samples;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import java.util.concurrent.CountDownLatch;

/** Exports new rows for as long as it has its lock. */
final class Export {
    enum Outcome {
        COMPLETE,
        LOCK_LOST
    }

    private final DistributedLock lock;
    private final CountDownLatch started = new CountDownLatch(1);

    Export(DistributedLock lock) {
        this.lock = lock;
    }

    Outcome run() {
        try (Lease lease = lock.acquire()) {
            started.countDown();
            while (lease.isValid()) {
                Thread.onSpinWait();
            }
        } catch (LeaseLostException e) {
            return Outcome.LOCK_LOST;
        }
        return Outcome.COMPLETE;
    }

    void awaitStart() throws InterruptedException {
        started.await();
    }
}
