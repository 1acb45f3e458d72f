package dev.holdfast.client;

import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same on a cluster of Redis 6.2, whose channels reach all nodes. */
@Tag("topology")
@Tag("slow")
final class BroadcastLatchContractTest extends HoldfastLatchContract {
    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.embedded(), 0);

    BroadcastLatchContractTest() {
        super(redis.client(), redis.rival(), redis::keys);
    }
}
