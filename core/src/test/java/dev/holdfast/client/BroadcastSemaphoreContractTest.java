package dev.holdfast.client;

import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same on a cluster of Redis 6.2, whose channels reach all nodes, and where clients cannot wait in line. */
@Tag("topology")
@Tag("slow")
final class BroadcastSemaphoreContractTest extends HoldfastSemaphoreContract {
    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.embedded(), 0);

    BroadcastSemaphoreContractTest() {
        super(redis.client(), redis.rival(), redis::keys);
    }

    @Override
    protected boolean hasLine() {
        return false;
    }
}
