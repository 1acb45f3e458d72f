package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedSentinels;
import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The plain lock fulfils the contract of all locks on a master of Redis 6.2 under sentinels. */
@Tag("driver")
@Tag("topology")
@Tag("slow")
final class SentinelPlainLockContractTest extends HoldfastContract {
    @RegisterExtension
    static final SharedSentinels redis = new SharedSentinels(RedisBinary.embedded(), 0);

    SentinelPlainLockContractTest() {
        super(LockKinds.PLAIN, redis.client(), redis.rival(), redis::keys);
    }
}
