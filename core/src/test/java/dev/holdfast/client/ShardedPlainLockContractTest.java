package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedCluster;
import dev.holdfast.testkit.LockContract;
import dev.holdfast.testkit.LockFixture;
import dev.holdfast.testkit.RedisBinary;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The plain lock fulfils the contract of all locks on a cluster of the default server: from Redis 7.0 on, with sharded channels. */
@Tag("topology")
final class ShardedPlainLockContractTest extends LockContract {
    @RegisterExtension
    static final SharedCluster redis = new SharedCluster(RedisBinary.byDefault(), 0);

    @Override
    protected LockFixture newFixture() {
        return new ContractFixture(LockKinds.PLAIN, List.of(redis.client(), redis.rival()), redis::keys);
    }
}
