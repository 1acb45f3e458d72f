package dev.holdfast.campaign.nemesis;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.Faults;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The network keeps what the connections of now have under way, while they end and others take their place; then it delivers
 * it.
 */
final class LateBytes {
    /** How long bytes gather before the connections end: long enough for many commands, and less than any timeout. */
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
