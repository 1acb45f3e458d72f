package dev.holdfast.campaign.worker;

import dev.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** The release of a handle, at once or after a delay. */
final class Releasing {
    private Releasing() {}

    /**
     * Releases it, and waits for the outcome.
     *
     * @param keep for how long the lock stays busy; empty if it is released at once
     */
    static void carryOut(Lease lease, Optional<Duration> keep, boolean async)
            throws InterruptedException, ExecutionException {
        if (keep.isPresent() && async) {
            lease.closeAfterAsync(keep.get()).get();
        } else if (keep.isPresent()) {
            lease.closeAfter(keep.get());
        } else if (async) {
            lease.releaseAsync().get();
        } else {
            lease.close();
        }
    }
}
