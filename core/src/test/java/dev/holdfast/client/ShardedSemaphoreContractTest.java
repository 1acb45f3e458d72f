package dev.holdfast.client;

import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same on a cluster of the default server: from Redis 7.0 on, with sharded channels. */
@Tag("topology")
@Tag("slow")
final class ShardedSemaphoreContractTest extends HoldfastSemaphoreContract {
    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.byDefault(), 0);

    ShardedSemaphoreContractTest() {
        super(redis.client(), redis.rival(), redis::keys);
    }

    @Override
    protected boolean hasLine() {
        return redis.isSharded();
    }
}
