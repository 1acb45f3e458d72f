package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedSentinels;
import dev.holdfast.testkit.LockContract;
import dev.holdfast.testkit.LockFixture;
import dev.holdfast.testkit.RedisBinary;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The fenced lock fulfils the contract of all locks on a master of Redis 6.2 under sentinels. */
@Tag("topology")
final class SentinelFencedLockContractTest extends LockContract {
    @RegisterExtension
    static final SharedSentinels redis = new SharedSentinels(RedisBinary.embedded(), 0);

    @Override
    protected LockFixture newFixture() {
        return new ContractFixture(LockKinds.FENCED, List.of(redis.client(), redis.rival()), redis::keys);
    }
}
