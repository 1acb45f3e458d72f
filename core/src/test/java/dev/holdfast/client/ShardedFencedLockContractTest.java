package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The fenced lock fulfils the contract of all locks on a cluster of the default server: from Redis 7.0 on, with sharded channels. */
@Tag("topology")
@Tag("slow")
final class ShardedFencedLockContractTest extends HoldfastContract {
    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.byDefault(), 0);

    ShardedFencedLockContractTest() {
        super(LockKinds.FENCED, redis.client(), redis.rival(), redis::keys);
    }

    @Override
    boolean hasLine() {
        return redis.isSharded();
    }
}
