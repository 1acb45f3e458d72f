package dev.holdfast.internal.session;

import dev.holdfast.internal.redis.Replication;
import java.time.Duration;

/**
 * How the locks of a client are replicated, as the user has configured it.
 *
 * @param replicas how many must have a grant; at least 1
 * @param timeout how long to wait for them
 */
public record ReplicatedLocks(int replicas, Duration timeout) {
    public ReplicatedLocks {
        if (replicas < 1) {
            throw new IllegalArgumentException("replicas must be at least 1, was " + replicas);
        }
        Arguments.positive("timeout", timeout);
    }

    /** {@return what the links do for that} */
    Replication replication() {
        return new Replication(replicas, Math.max(1, timeout.toMillis()));
    }
}
