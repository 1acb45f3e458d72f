package dev.holdfast.internal.topology;

import dev.holdfast.internal.redis.NodeAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what sentinels say about the address of their master. The address is that which more than half of all name, not
 * only of those that answer: some that are cut off from the others, together with this client, may not have the message of a
 * failover.
 */
final class Ballot {
    private final int sentinels;

    // All below is guarded by this.
    private final Map<NodeAddress, Integer> votes = new HashMap<>();
    private int answers;
    private int silent;

    Ballot(int sentinels) {
        this.sentinels = sentinels;
    }

    /** A sentinel names this address; null if it knows no such master. */
    synchronized void answered(@Nullable NodeAddress master) {
        answers++;
        if (master != null) {
            votes.merge(master, 1, Integer::sum);
        }
    }

    /** A sentinel does not answer. */
    synchronized void silent() {
        silent++;
    }

    /** {@return whether further answers cannot change the result} */
    synchronized boolean isDecided() {
        return answers + silent == sentinels || votes.values().stream().anyMatch(votes -> 2 * votes > sentinels);
    }

    /** {@return the address that more than half of all sentinels name; null if there is none} */
    synchronized @Nullable NodeAddress elected() {
        for (Map.Entry<NodeAddress, Integer> named : votes.entrySet()) {
            if (2 * named.getValue() > sentinels) {
                return named.getKey();
            }
        }
        return null;
    }

    /** {@return whether any sentinel has answered} */
    synchronized boolean isAnswered() {
        return answers > 0;
    }

    /** {@return whether more than half of all sentinels have answered} */
    synchronized boolean isQuorate() {
        return 2 * answers > sentinels;
    }

    /** {@return whether any sentinel has named an address} */
    synchronized boolean isNamed() {
        return !votes.isEmpty();
    }
}
