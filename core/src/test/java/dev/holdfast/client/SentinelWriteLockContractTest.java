package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedSentinels;
import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The write lock fulfils the contract of all locks on a master of Redis 6.2 under sentinels. */
@Tag("topology")
@Tag("slow")
final class SentinelWriteLockContractTest extends HoldfastContract {
    @RegisterExtension
    static final SharedSentinels redis = new SharedSentinels(RedisBinary.embedded(), 0);

    SentinelWriteLockContractTest() {
        super(LockKinds.WRITE, redis.client(), redis.rival(), redis::keys);
    }
}
