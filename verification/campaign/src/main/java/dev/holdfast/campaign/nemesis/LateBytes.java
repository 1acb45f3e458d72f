package dev.holdfast.campaign.nemesis;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.Faults;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds the requests in flight on the current connections while these are reset and replaced, and delivers them
 * afterwards.
 */
final class LateBytes {
    /**
     * For how long requests are held before the connections are reset: long enough for many commands, and shorter than
     * any timeout.
     */
    private static final Duration GATHERING = Duration.ofMillis(40);

    private final Faults old;

    private LateBytes(Faults old) {
        this.old = old;
    }

    static LateBytes of(FaultProxy link) {
        return new LateBytes(link.matching(connection -> true));
    }

    void gather() {
        old.holdRequests();
        LockSupport.parkNanos(GATHERING.toNanos());
        old.cutRst();
    }

    void deliver() {
        old.releaseRequests();
    }
}
