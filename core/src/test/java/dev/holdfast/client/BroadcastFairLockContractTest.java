package dev.holdfast.client;

import dev.holdfast.Holdfast;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The fair lock fulfils the contract of all locks on a cluster of Redis 6.2, whose channels reach all nodes. */
@Tag("topology")
@Tag("slow")
final class BroadcastFairLockContractTest extends HoldfastContract {
    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.embedded(), 0);

    BroadcastFairLockContractTest() {
        super(Holdfast::getFairLock, redis.client(), redis.rival(), redis::keys);
    }

    @Override
    boolean hasLine() {
        return false;
    }
}
