package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The plain lock fulfils the contract of all locks on a cluster of Redis 6.2, whose channels reach all nodes. */
@Tag("driver")
@Tag("topology")
@Tag("slow")
final class BroadcastPlainLockContractTest extends HoldfastContract {
    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.embedded(), 0);

    BroadcastPlainLockContractTest() {
        super(LockKinds.PLAIN, redis.client(), redis.rival(), redis::keys);
    }

    @Override
    boolean hasLine() {
        return false;
    }
}
